// Sorts that can be stopped (neardup/stop.h): stoppable_sort() in memory; ExternalSorter for fixed-size records that may not fit in memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/temp_file.h"
#include "neardup/stop.h"

namespace neardup {
namespace stoppable_sort_parts {

inline constexpr ptrdiff_t kPiece = 1 << 16;  // records: a few milliseconds of std::sort
inline constexpr int kMaxSplits = 64;         // after this many bad pivots std::sort, whose time is bounded, sorts the rest

/// Moves the records for which `is_first` is true to the front. Returns their end.
template <typename Record, typename IsFirst>
Record* split(Record* begin, Record* end, const IsFirst& is_first) {
  Record* firsts = begin;
  for (Record* at = begin; at != end; ++at) {
    const Record record = *at;
    *at = *firsts;
    *firsts = record;
    firsts += static_cast<ptrdiff_t>(is_first(record));
  }
  return firsts;
}

template <typename Record>
Record pivot_of(const Record* begin, ptrdiff_t count) {
  std::array<Record, 9> sample;
  for (size_t i = 0; i < sample.size(); ++i) sample[i] = begin[(count - 1) / 8 * static_cast<ptrdiff_t>(i)];
  std::nth_element(sample.begin(), sample.begin() + 4, sample.end());
  return sample[4];
}

template <typename Record>
void sort(Record* begin, Record* end, int splits) {
  for (; end - begin > kPiece && splits > 0; --splits) {
    check_stop();
    const Record pivot = pivot_of(begin, end - begin);
    Record* const middle = split(begin, end, [&](const Record& record) { return record < pivot; });
    if (middle == begin) {  // the pivot is the smallest: all records equal to it are in place
      begin = split(begin, end, [&](const Record& record) { return !(pivot < record); });
      continue;
    }
    sort(begin, middle, splits - 1);
    begin = middle;
  }
  check_stop();
  std::sort(begin, end);
}

}  // namespace stoppable_sort_parts

/// std::sort, ascending, that can be stopped. Throws Error{kStopped}; then all records are there, in any order.
///
/// A comparator that counts and asks costs 8% of a sort. So large ranges are split around a pivot, without branches that could be
/// mispredicted, until they are small enough for std::sort, and the stop function is asked once for each piece. That costs nothing: the
/// splitting is even faster than std::sort on these levels.
template <typename Record>
void stoppable_sort(Record* begin, Record* end) {
  static_assert(std::is_trivially_copyable_v<Record>);
  stoppable_sort_parts::sort(begin, end, stoppable_sort_parts::kMaxSplits);
}

/// Sorted runs go to a temporary file and are merged once.
///
/// Record is trivially copyable and totally ordered by operator<. Equal records all come out. add() may be called from several threads; the
/// result depends on the set of records only.
template <typename Record>
class ExternalSorter {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  ExternalSorter(uint64_t memory_bytes, const std::string& temp_dir)
      : max_records_(std::max<size_t>(memory_bytes / sizeof(Record), 2 * kReadAhead)), temp_dir_(temp_dir) {}

  void add(const std::vector<Record>& records) {
    const std::lock_guard lock(mutex_);
    for (const Record& record : records) {
      if (buffer_.size() == max_records_) spill();
      buffer_.push_back(record);
    }
    count_ += records.size();
  }
  [[nodiscard]] uint64_t count() const noexcept { return count_; }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return file_ ? file_->size() : 0; }

  /// Visits all records in order. Called once, after the last add().
  template <typename Visit>
  void for_each(const Visit& visit) {
    while (const Record* const record = next()) visit(*record);
  }
  /// The records in order, one a call; null after the last. Valid until the next call. Called after the last add().
  const Record* next() {
    poll_stop();
    if (!started_) start();
    if (runs_.empty()) return next_ == buffer_.size() ? nullptr : &buffer_[next_++];
    if (taken_) {  // only now, because the caller had its record
      const size_t run = heads_.back();
      if (readers_[run].advance(*file_, ahead_)) {
        std::push_heap(heads_.begin(), heads_.end(), Later{readers_});
      } else {
        heads_.pop_back();
      }
    }
    taken_ = !heads_.empty();
    if (!taken_) return nullptr;
    std::pop_heap(heads_.begin(), heads_.end(), Later{readers_});
    return &readers_[heads_.back()].head();
  }

 private:
  static constexpr size_t kReadAhead = 1024;  // minimum records of a run, so that reads stay sequential
  struct Run {
    uint64_t begin;  // bytes in the file
    uint64_t end;
  };
  struct Reader {
    uint64_t at;
    uint64_t end;
    std::vector<Record> buffer;
    size_t next;

    [[nodiscard]] const Record& head() const { return buffer[next]; }
    bool fill(const TempFile& file, size_t ahead) {
      buffer.resize(std::min<uint64_t>(ahead, (end - at) / sizeof(Record)));
      if (buffer.empty()) return false;
      file.read(at, buffer.data(), buffer.size() * sizeof(Record));
      at += buffer.size() * sizeof(Record);
      next = 0;
      return true;
    }
    bool advance(const TempFile& file, size_t ahead) { return ++next < buffer.size() || fill(file, ahead); }
  };

  struct Later {
    const std::vector<Reader>& readers;
    bool operator()(size_t a, size_t b) const { return readers[b].head() < readers[a].head(); }
  };

  void start() {
    started_ = true;
    sort_buffer();
    if (runs_.empty()) return;
    if (!buffer_.empty()) spill();
    std::vector<Record>().swap(buffer_);
    ahead_ = std::max<size_t>(max_records_ / runs_.size(), kReadAhead);
    readers_.reserve(runs_.size());
    for (const Run& run : runs_) readers_.push_back({run.begin, run.end, {}, 0});
    for (size_t i = 0; i < readers_.size(); ++i) {
      if (readers_[i].fill(*file_, ahead_)) heads_.push_back(i);
    }
    std::make_heap(heads_.begin(), heads_.end(), Later{readers_});
  }

  void poll_stop() {
    constexpr uint64_t kAskEvery = 1 << 12;
    if (++steps_ % kAskEvery == 0) check_stop();
  }

  void sort_buffer() { stoppable_sort(buffer_.data(), buffer_.data() + buffer_.size()); }

  void spill() {
    sort_buffer();
    if (!file_) file_.emplace(temp_dir_);
    const uint64_t begin = file_->size();
    file_->append(buffer_.data(), buffer_.size() * sizeof(Record));
    runs_.push_back({begin, file_->size()});
    buffer_.clear();
  }

  size_t max_records_;
  std::string temp_dir_;
  std::optional<TempFile> file_;  // once something is spilled
  std::mutex mutex_;
  std::vector<Record> buffer_;
  std::vector<Run> runs_;
  uint64_t count_ = 0;
  uint64_t steps_ = 0;
  // Of next():
  bool started_ = false;
  size_t next_ = 0;              // in the buffer, if nothing was spilled
  size_t ahead_ = 0;             // records that a reader reads at once
  std::vector<Reader> readers_;  // of the runs
  std::vector<size_t> heads_;    // a heap of the readers that have records; while taken_, its last one is not in order
  bool taken_ = false;
};

}  // namespace neardup
