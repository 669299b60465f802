// StoreParts: what finds the documents of a store: the tables in segments and in memory, the index of full buckets, the fingerprints, and
// which documents still count. All of it is made from the records, and can be made again.
//
// Rows wait in memory (Delta) until enough of them are there. Then they are frozen: a new delta takes their place, and a thread in the
// background writes them as a segment and merges segments. Look-ups see them all the time.
//
// Thread rule: see() from any number of threads; apply() and freeze() by one thread at a time, the decider; write_frozen(), merge() and
// compact() by one at a time, next to all others.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "neardup/hamming_store.h"
#include "online/delta.h"
#include "online/finder.h"
#include "online/hot_index.h"
#include "online/liveness.h"
#include "online/log/record_log.h"
#include "online/online_settings.h"
#include "online/prepared.h"
#include "store/fair_mutex.h"
#include "store/tables/table_segment_writer.h"
#include "store/tables/table_store.h"

namespace neardup {

class StoreParts {
 public:
  /// Creates the folders of an empty store. Throws Error{kOutput}.
  static void create(const std::string& folder, const OnlineSettings& settings);
  /// Opens what is in the folder and adds what the log has beyond it; `log` was not replayed yet, and outlives it, as `settings` does.
  /// `segment_rows`: segments are written meanwhile (for a repair, which reads the whole log); 0: not.
  StoreParts(std::string folder, const OnlineSettings& settings, RecordLog& log, OnlineAccess access, uint32_t threads,
             uint32_t segment_rows = 0);

  /// Calls look(visible) under the lock that keeps everything in place.
  template <typename Look>
  auto see(uint64_t now, const Look& look) const {
    const std::shared_lock lock(seen_);
    return look(
        Visible{.parts = parts_, .liveness = &liveness_, .hot = &hot_, .now = now, .from = 0, .end = end_, .generation = generation_});
  }
  /// Within look(): fingerprints near one.
  void near_codes(Fingerprint128 code, HammingStoreScratch& scratch,
                  const std::function<void(uint64_t sequence, uint32_t distance)>& visit) const;

  /// Adds documents whose rows have their sequences, ascending, and changes what counts. `end`: all sequences below it are decided.
  void apply(std::span<const Prepared* const> documents, const Liveness& changes, uint64_t end);
  /// The latest time that the log knows.
  [[nodiscard]] uint64_t logged_time() const noexcept { return logged_time_; }

  /// All sequences below it are decided.
  [[nodiscard]] uint64_t end() const {
    const std::shared_lock lock(seen_);
    return end_;
  }
  [[nodiscard]] uint32_t rows_in_memory() const;
  /// True if rows are frozen and not written yet.
  [[nodiscard]] bool frozen() const;
  /// Freezes the rows in memory, unless there are frozen() ones, and begins a file of the log. Everything added must be on the disk.
  void freeze(uint64_t now);
  void write_frozen(uint64_t now, uint32_t threads);
  /// Merges segments if there are too many for fast look-ups. Returns false if there was nothing to do.
  bool merge(uint64_t now, uint32_t threads);
  /// Makes one segment of all segments, and one file of the log of what is left of them.
  void compact(uint64_t now, uint32_t threads);

  /// Visits the documents that count from the sequence `first` on, in their order, with their expiry, until visit() returns false.
  void for_each_live(uint64_t now, const std::function<bool(const RowHead& head)>& visit, uint64_t first = 0) const;

  /// The sequences that segments cover: they begin at 0.
  [[nodiscard]] uint64_t covered() const noexcept { return tables_->next_id(); }
  void verify(uint32_t threads) const;
  struct Stat {
    uint64_t segments = 0;
    uint64_t segment_bytes = 0;
    uint64_t rows = 0;
    uint64_t dead = 0;
    uint64_t hot = 0;
  };
  [[nodiscard]] Stat stat() const;
  /// Copies the folders as the disk has them. Throws Error{kOutput}.
  void copy_to(const std::string& folder) const;

 private:
  using PartPointer = TableStore::PartPointer;
  using Codes = std::variant<std::monostate, HammingStore64, HammingStore128>;

  void load(uint32_t threads, uint32_t segment_rows);
  void require_known_files() const;
  void check_codes(uint32_t threads);
  void forget_hot_locked(const std::vector<uint64_t>& left_out);
  void add_locked(const Prepared& document);
  void refresh_locked();
  void read_features(uint64_t sequence, std::vector<uint64_t>& features) const;
  TableRows live_rows(const TablePart& part, uint64_t now, std::vector<uint64_t>& left_out) const;
  // Writes rows as a segment in the place of others.
  struct Replacement {
    std::vector<PartPointer> replaced = {};
    std::vector<TableRows> rows = {};
    std::vector<uint64_t> left_out = {};
    bool of_frozen = false;
    RecordLog::Copy* copy = nullptr;  // gets the records of the rows
  };
  void replace(const Replacement& replacement, uint32_t threads);
  void merge_run(std::vector<PartPointer> run, uint64_t now, uint32_t threads, RecordLog::Copy* copy);

  const std::string folder_;
  const OnlineSettings& settings_;
  RecordLog& log_;
  const OnlineAccess access_;
  std::unique_ptr<TableStore> tables_;
  mutable Codes codes_;
  uint64_t codes_covered_ = 0;  // sequences below it were in the store of fingerprints when it was opened
  std::vector<std::pair<Fingerprint128, uint64_t>> unwritten_codes_;  // of a store that is open for reading

  // Changed only while holding it.
  mutable FairMutex seen_;
  std::vector<PartPointer> segments_;  // in the order of their sequences
  std::unique_ptr<Delta> frozen_;
  std::unique_ptr<Delta> current_;
  std::vector<TablePart> parts_;  // of all of these
  HotIndex hot_;
  Liveness liveness_;
  uint64_t end_ = 0;
  uint64_t frozen_end_ = 0;
  uint64_t logged_time_ = 0;
  uint64_t generation_ = 0;
  uint64_t gone_from_hot_ = 0;  // documents of hot_ that have no row any more
};

}  // namespace neardup
