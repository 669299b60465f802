// LineCounter: learns which lines a corpus repeats, by counting the documents that contain each line.
//
// Exact: every distinct line of every document is one record of 16 bytes, sorted on disk when they exceed the budget. The result depends on
// the documents only, not on their order, the threads, or how they were spread over counters that are merged.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/external_sort.h"
#include "neardup/tools/threshold.h"
#include "text/clean/line_list.h"

namespace neardup {

class LineCounter {
 public:
  /// Beyond `memory_bytes`, records go to an unnamed file in `temp_dir` (empty: TMPDIR, else /tmp).
  explicit LineCounter(uint64_t memory_bytes = 256u << 20, const std::string& temp_dir = {}) : sorter_(memory_bytes, temp_dir) {}

  /// Counts some documents; many at once cost fewer locks. Thread-safe. Throws Error{kOutput} when the disk is full.
  void add(std::span<const std::string_view> documents);
  /// Adds the counts of another counter and empties it.
  void merge(LineCounter& other);

  /// The lines that more than `share` of the documents have, and at least `min_documents` of them. Called once, after all others.
  LineList finish(Threshold share, uint64_t min_documents = 2);

  [[nodiscard]] uint64_t documents() const noexcept { return documents_; }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return sorter_.spilled_bytes(); }

 private:
  struct Record {
    uint64_t hash;
    uint64_t documents;
    bool operator<(const Record& other) const noexcept { return hash != other.hash ? hash < other.hash : documents < other.documents; }
  };
  // Calls visit(hash, documents) for every line, in order of the hashes.
  template <typename Visit>
  void for_each_line(const Visit& visit);

  std::mutex mutex_;
  uint64_t documents_ = 0;
  ExternalSorter<Record> sorter_;
};

}  // namespace neardup
