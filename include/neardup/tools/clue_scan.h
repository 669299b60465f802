// ClueScanner: which of many clues a text contains, or resembles, without an index. ScanHits: the first hits of each clue among many texts.
//
//   neardup::ClueScanner scanner(clues, {}, {});
//   neardup::ScanHits hits(scanner);                    // one for each part of a corpus
//   for (const auto& [id, text] : texts) hits.add(id, text);
//   hits.take(found);                                   // and hits.counts()
//
// What matches, and what hits have, is defined by ClueIndex (neardup/clue_index.h): a scan finds what ClueIndex::search() finds with
// `scan`. Each text is read once, its form is computed once for all clues, and few clues are compared with it: those of which it has a
// part. Clues are held in memory: about 1 KB for a clue of 60 characters, with edits or `resembles` about 3 KB. Implemented in
// src/search/scan/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/clue_index.h"
#include "neardup/tools/threshold.h"

namespace neardup {

struct ScanClue {
  std::string_view name;  ///< for messages
  std::string_view text;
};

/// A clue that a text matches.
struct ScanMatch {
  uint32_t clue = 0;     ///< its place in the list of clues
  uint32_t edits = 0;    ///< of kContains
  Overlap overlap = {};  ///< of kResembles
  /// Not negative; of the matches of a clue the smaller comes first, then the smaller id. Of kContains the edits. Of kResembles it is
  /// computed from the similarity, and different for different ones as long as clue and text have fewer than 2^31 grams together.
  int64_t order = 0;
};

/// Immutable, shared by threads, each with a scratch of its own.
class ClueScanner {
 public:
  static constexpr size_t kMaxClues = size_t{1} << 20;

  /// What one thread needs to scan texts, for one scanner, which must outlive it.
  class Scratch {
   public:
    explicit Scratch(const ClueScanner& scanner);
    ~Scratch();
    Scratch(Scratch&&) noexcept;
    Scratch& operator=(Scratch&&) noexcept;

   private:
    friend ClueScanner;
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };

  /// Copies the clues. `options.scan`, `max_candidates`, `threads`, `explain` and `stop` are not used. Throws Error{kUsage} for more than
  /// kMaxClues, and for a clue that cannot be asked, which the message names.
  ClueScanner(std::span<const ScanClue> clues, const ClueRecipe& recipe, const ClueSearch& options);
  ~ClueScanner();
  ClueScanner(ClueScanner&&) noexcept;
  ClueScanner& operator=(ClueScanner&&) noexcept;

  [[nodiscard]] size_t size() const noexcept;  ///< clues
  [[nodiscard]] const ClueSearch& options() const noexcept;

  /// Replaces `matches` by the clues that this text matches, ascending. Any bytes are a text, at most 256 MiB.
  void scan(std::string_view text, Scratch& scratch, std::vector<ScanMatch>& matches) const;
  /// The hit of a match of the last scan() with this scratch, which was of this text; without id and name.
  [[nodiscard]] ClueHit describe(std::string_view text, const ScanMatch& match, Scratch& scratch) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Counts the texts that match each clue and keeps the first `limit` hits of each, in the order of hits, whatever the order of the texts.
/// Ids are ordered by their bytes. For one thread.
class ScanHits {
 public:
  struct Found {
    uint32_t clue = 0;
    int64_t order = 0;  ///< ScanMatch::order
    std::string id;
    ClueHit hit;
  };

  /// The scanner must outlive it.
  explicit ScanHits(const ClueScanner& scanner);
  ~ScanHits();
  ScanHits(ScanHits&&) noexcept;
  ScanHits& operator=(ScanHits&&) noexcept;

  void add(std::string_view id, std::string_view text);
  /// The memory of the hits that are held.
  [[nodiscard]] uint64_t held_bytes() const noexcept;
  /// Appends the hits that are held, in no order, and holds none afterwards. The first `limit` hits of a clue are among all that were
  /// taken.
  void take(std::vector<Found>& out);
  /// Matching texts, by clue.
  [[nodiscard]] std::span<const uint64_t> counts() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup
