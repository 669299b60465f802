// OnlineStore: "have I seen this text, or one like it?", asked and answered in one call, for a stream of texts.
//
//   auto store = neardup::OnlineStore::create("seen", {.recipe = "words-5"});
//   std::vector<neardup::OnlineAnswer> answers;
//   store.apply({{{.id = "a", .text = text}}}, answers);     // kept, or removed because of answers[0].keeper_id
//
// The verdicts are those of dedup() (neardup/dedup.h) on the same texts in the same order, with Options::max_candidates = 0 and keep first:
// a text is kept unless a kept one matches it, and the first kept one that matches is its keeper. Only kept texts are stored. Calls that
// insert are decided one after the other; the order is part of the store, and for_each_document() gives it back.
//
// Durability: when apply() or remove() returns, what its answers say is on the disk, the keepers that they name too, whatever happens to
// the process or the machine (OnlineStoreRun::sync_interval_ms relaxes that). A store always opens at a prefix of the decided order. After
// a failed write, calls that change the store throw until it is opened again.
//
// One process may write, any number may read: these see the state that they opened, of which the last answers may not be on the disk yet.
// Thread rule: everything may be called from any number of threads. A moved-from object may only be assigned to or destroyed.
//
// Formats: docs/formats.md. How it works: src/online/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/document.h"
#include "neardup/tools/threshold.h"

namespace neardup {

/// What decides the verdicts of a store; fixed when it is created. Members as those of Options (neardup/options.h).
struct OnlineStoreSpec {
  std::string recipe = "words-5";  ///< a preset, JSON or a file; not one with "idf": "corpus"
  Threshold threshold = Threshold::from_millionths(800'000);
  Threshold miss_probability = Threshold::from_millionths(2'000);
  uint32_t bands = 0;          ///< 0: planned
  uint32_t rows_per_band = 0;  ///< 0: planned
  uint32_t max_distance = 3;
  uint64_t min_length = 0;
  uint64_t ttl_ms = 0;  ///< documents are forgotten this long after insertion; 0: never
  bool texts = true;    ///< false: features are stored instead of texts (MinHash) or nothing (fingerprints)
};

/// How a store is run; may differ each time.
struct OnlineStoreRun {
  uint32_t threads = 0;           ///< of apply() with many requests, and of work in the background; 0: all cores
  uint64_t sync_interval_ms = 0;  ///< 0: answers wait until they are on the disk; else at most this much is lost when the machine fails
  uint32_t rows_in_memory = 1u << 18;                      ///< kept documents until a segment is written
  std::function<void(uint64_t microseconds)> synced = {};  ///< called after each sync of the log with the time it took, in any thread
};

enum class OnlineAccess { kRead, kWrite };

struct OnlineRequest {
  std::string_view id;  ///< 1 to 65,535 bytes
  std::string_view text;
  bool insert = true;                       ///< false: only asks; nothing changes
  bool replace = false;                     ///< a stored document with this id and another text is deleted first; false: that is a conflict
  bool touch = false;                       ///< a duplicate renews the expiry of its keeper
  std::optional<uint64_t> expires_ms = {};  ///< milliseconds since 1970: not seen from then on; nothing: by OnlineStoreSpec::ttl_ms
};

enum class OnlineOutcome : uint8_t {
  kDecided,
  kRepeated,  ///< a stored document has this id and the same normalized text: the answer is the one that it got
  kConflict,  ///< a stored document has this id and another text: nothing was decided
  kInvalid,   ///< the id or the text is out of bounds, see OnlineAnswer::problem
};

struct OnlineAnswer {
  OnlineOutcome outcome = OnlineOutcome::kDecided;
  Decision decision = Decision::kKeep;
  Reason reason = Reason::kUnique;  ///< kUnique, kShort; kExactCopy, kNearDuplicate
  std::string keeper_id = {};       ///< of a removed one
  uint64_t sequence = 0;            ///< in the decided order: of the kept document, or of the keeper; 0: kept, but only asked
  double similarity = 0;            ///< as Verdict::similarity
  std::string problem = {};
};

/// A stored document. Views are valid until the visitor returns.
struct OnlineDocument {
  uint64_t sequence = 0;
  uint64_t time_ms = 0;
  std::optional<uint64_t> expires_ms;
  std::string_view id;
  std::optional<std::string_view> text;
};

struct OnlineStoreStat {
  std::string folder;
  std::string recipe;  ///< canonical JSON
  uint64_t recipe_id = 0;
  OnlineStoreSpec spec;
  uint64_t next_sequence = 0;
  uint64_t kept = 0;     ///< documents in the store, some expired ones included
  uint64_t deleted = 0;  ///< whose rows are still there
  uint64_t rows_in_memory = 0;
  uint64_t segments = 0;
  uint64_t segment_bytes = 0;
  uint64_t record_bytes = 0;   ///< about
  uint64_t template_rows = 0;  ///< documents that full buckets do not hold, in memory with their features
  // Since the store was opened:
  uint64_t checked = 0;
  uint64_t removed = 0;
  uint64_t syncs = 0;
  std::string failure;  ///< of a write or sync, after which the store takes no changes until it is opened again; empty: none
};

class OnlineStore {
 public:
  /// A new store, open for writing. Throws Error{kUsage} for an invalid spec, Error{kOutput} when the
  /// folder holds other files or cannot be written.
  static OnlineStore create(const std::string& folder, const OnlineStoreSpec& spec, const OnlineStoreRun& run = {});
  /// Reads what was inserted since the last segment was written. `recipe`: where the recipe is now if its files have moved; empty: as it
  /// was created. Throws Error{kInput} when it is not a store or damaged, Error{kUsage} for another recipe, Error{kOutput} when another
  /// process writes it.
  static OnlineStore open(const std::string& folder, OnlineAccess access, const OnlineStoreRun& run = {}, const std::string& recipe = {});
  ~OnlineStore();
  OnlineStore(OnlineStore&&) noexcept;
  OnlineStore& operator=(OnlineStore&&) noexcept;

  /// Decides requests in their order; `answers` gets one each. `now_ms`: the time that expiry is judged by, milliseconds since 1970; the
  /// store's time never goes back. Throws Error{kOutput} when they cannot be written: then no answer was given, and which of the insertions
  /// are in the store shows when it is opened again. Throws Error{kUsage} for insertions into a store that is open for reading.
  void apply(std::span<const OnlineRequest> requests, uint64_t now_ms, std::vector<OnlineAnswer>& answers);
  /// With the time of the clock.
  void apply(std::span<const OnlineRequest> requests, std::vector<OnlineAnswer>& answers);

  /// With OnlineStoreRun::sync_interval_ms: returns when all answers given so far are on the disk. Throws as apply().
  void sync();

  /// Deletes documents by their ids. `deleted` gets for each whether there was one. What they once removed stays removed. Throws as
  /// apply().
  void remove(std::span<const std::string_view> ids, uint64_t now_ms, std::vector<bool>& deleted);
  /// With the time of the clock.
  void remove(std::span<const std::string_view> ids, std::vector<bool>& deleted);

  // Documents are shown as of the time of the store: that of the latest request that changed it.

  /// Calls visit(document) if a document has this id, and returns whether one has.
  bool find(std::string_view id, const std::function<void(const OnlineDocument&)>& visit) const;
  /// All documents from this sequence on, in the decided order, until visit() returns false. Deleted ones are not among them.
  void for_each_document(const std::function<bool(const OnlineDocument&)>& visit, uint64_t first_sequence = 0) const;

  /// Writes the rows in memory as a segment, merges all segments into one, and drops what deleted and expired documents left. Others may
  /// use the store meanwhile. Throws Error.
  void compact(uint64_t now_ms);
  /// With the time of the clock.
  void compact();
  /// Reads everything, and compares the tables with the records. Throws Error{kInput} that names the file and what is wrong.
  void verify() const;
  /// A copy of the store in a folder that does not exist, as it is at one moment. Throws Error{kOutput}.
  void copy_to(const std::string& folder) const;
  [[nodiscard]] OnlineStoreStat stat() const;
  [[nodiscard]] const OnlineStoreSpec& spec() const noexcept;

 private:
  friend void repair_online_store(const std::string& folder, const OnlineStoreRun& run, const std::string& recipe);
  struct Impl;
  explicit OnlineStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Makes the tables of a store again from its records, and compacts them. `recipe`: as OnlineStore::open(). Throws Error{kInput} when the
/// records are damaged. A repair that is interrupted must be done again.
void repair_online_store(const std::string& folder, const OnlineStoreRun& run = {}, const std::string& recipe = {});

}  // namespace neardup
