// UniqueSorter: records in order, each of them once, however often it was added. RankEdge: two ranks.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/external_sort.h"

namespace neardup {

struct RankEdge {
  int64_t rank;
  int64_t other;
  friend auto operator<=>(const RankEdge&, const RankEdge&) = default;
};

/// Within `memory`; beyond it, in sorted runs.
template <typename Record>
class UniqueSorter {
 public:
  UniqueSorter(uint64_t memory, const std::string& temp_dir) : sorter_(memory, temp_dir) { waiting_.reserve(kAtOnce); }

  void add(const Record& record) {
    waiting_.push_back(record);
    if (waiting_.size() == kAtOnce) flush();
  }
  /// Null after the last. Valid until the next call.
  const Record* next() {
    flush();
    while (const Record* const record = sorter_.next()) {
      if (last_ && *last_ == *record) continue;
      last_ = *record;
      return &*last_;
    }
    return nullptr;
  }

 private:
  static constexpr size_t kAtOnce = 1024;
  void flush() {
    if (!waiting_.empty()) sorter_.add(waiting_);
    waiting_.clear();
  }

  ExternalSorter<Record> sorter_;
  std::vector<Record> waiting_;
  std::optional<Record> last_;
};

}  // namespace neardup
