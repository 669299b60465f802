// generate(): near-duplicates of real texts with labels, by kind and strength of the edit: what a search has to find, and what it must not
// remove.
//
//   neardup::GenerateRun run;
//   run.source = source.get();
//   run.documents = make_piece_sink("labelled.jsonl").get();
//   const neardup::GenerateSummary made = neardup::generate(options, run);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/options.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"

namespace neardup {

/// The strength of an edit: a share of the units of a text ("5%", of its words or characters, whichever the kind counts), or a number of
/// them ("1").
class EditStrength {
 public:
  /// Throws Error{kUsage} for anything but a whole number from 1 to 10000, and a percentage above 0 and at most 100 with up to four
  /// decimals.
  static EditStrength parse(std::string_view text);

  /// The units to change of `units`: the number, or the share rounded to the nearest whole number, at least 1.
  [[nodiscard]] uint64_t of(uint64_t units) const noexcept;
  /// As it is written in the output: "5%", "1".
  [[nodiscard]] const std::string& label() const noexcept { return label_; }

 private:
  std::string label_;
  uint64_t number_ = 0;      // 0: a share
  uint64_t millionths_ = 0;  // of the share
};

/// What generate() knows of a kind of edit.
struct EditKindInfo {
  std::string_view name;
  bool duplicate = false;     ///< its copies are near-duplicates; otherwise they are labelled as other documents
  bool has_strength = false;  ///< otherwise the whole text is changed, once
  std::string_view meaning;   ///< one line
};
/// All kinds, in the order of the documentation.
std::vector<EditKindInfo> edit_kinds();

struct GenerateRun : RunHooks {
  static constexpr uint64_t kMaxDocuments = 1'000'000;

  PieceSink* documents = nullptr;         ///< the labelled corpus, JSON Lines; not owned
  PairSink* truth = nullptr;              ///< the pairs that are near-duplicates; not owned; null: not written
  std::vector<std::string> kinds{};       ///< names of edit_kinds(); empty: all
  std::vector<EditStrength> strengths{};  ///< empty: 1%, 5%, 20%
  uint64_t copies = 1;                    ///< of each document; 0: one of each kind and strength
  uint64_t seed = 1;                      ///< another one gives another sample and other edits
  uint64_t max_documents = 1'000;         ///< originals, 1 to kMaxDocuments
  uint64_t min_words = 20;                ///< shorter texts are left out; a Chinese character counts as a word
};

/// The result of a run. read == rejected + short_texts + same_texts + not_sampled + similar + originals, always.
struct GenerateSummary {
  struct Kind {
    std::string kind;
    std::string strength;  ///< empty: the kind has none
    uint64_t copies = 0;
    double mean_similarity = 0;  ///< of the copies to their originals
  };
  Summary read;              ///< of the pass over the corpus
  uint64_t short_texts = 0;  ///< fewer than min_words
  uint64_t same_texts = 0;   ///< a text or an id that an earlier document of the sample has
  uint64_t not_sampled = 0;  ///< beyond max_documents
  uint64_t similar = 0;      ///< left out of the sample, because it is a near-duplicate of another document of it
  uint64_t originals = 0;
  uint64_t copies = 0;
  uint64_t pairs = 0;       ///< labelled near-duplicates
  std::vector<Kind> kinds;  ///< one for each kind and strength that was asked for

  [[nodiscard]] std::string to_json() const;
  [[nodiscard]] std::string to_text(bool verbose = false) const;
};

/// Draws a sample of the documents, those with the smallest hashes of seed and text, without near-duplicates (Jaccard similarity of
/// chars-5 of 0.5 and above) and texts below min_words. Writes each, followed by its copies. The kinds and strengths take turns, so that
/// all occur about equally often; one that does not apply to a text, such as another script to an English one, is passed over.
///
/// A line has the members id, text, kind ("original", or that of the edit), strength (null without one), changed and units (how many units
/// of the original the edit changed, and of how many), of (the id of the original, or null), similarity (Jaccard of chars-5 to the
/// original), duplicate and cluster: documents with the same cluster are near-duplicates of each other, and no others are. `truth` gets
/// every two documents of a cluster with their similarity.
///
/// The output is a function of the documents and the members of `run`, not of threads and machine; only `script` follows ICU's version.
/// Words to insert come from the other documents of the sample, so that must have at least two. Memory: the sample. Options used: threads,
/// max_rejects, temp_dir. Throws Error; then nothing was written.
GenerateSummary generate(const Options& options, const GenerateRun& run);

}  // namespace neardup
