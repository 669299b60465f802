// TableSegment: a part in a file: a segment file (segment_file.h) of the kind "tables".
//
//   payload: PayloadHead | rows | padding | slots of each table | hot rows: row u32, features u32 | their features u64 | PayloadTail
//
// Tables begin at multiples of 64, so that the tags of a group are in one line of the cache, all other sections at multiples of 8. Hot rows
// are those that a full bucket did not take, ascending, with their features, sorted.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "store/segment_file.h"
#include "store/store_manifest.h"
#include "store/tables/table_part.h"

namespace neardup {

namespace table_segment {

inline constexpr std::string_view kKind = "tables";

struct PayloadHead {
  uint32_t bands;
  uint32_t rows_per_band;
  uint32_t filter_bytes;
  uint32_t bucket_rows;  ///< kBucketRows
  uint32_t rows;
  uint32_t groups;  ///< of each table
};
struct PayloadTail {
  uint32_t hot_rows;
  uint32_t reserved;
  uint64_t hot_features;
};
struct HotRow {
  uint32_t row;
  uint32_t features;
};
static_assert(sizeof(PayloadHead) == 24 && sizeof(PayloadTail) == 16 && sizeof(HotRow) == 8);

constexpr uint64_t padded(uint64_t bytes) noexcept {
  return (bytes + 63) / 64 * 64;
}

}  // namespace table_segment

class TableSegment {
 public:
  /// Maps it; reads the ends only. Throws Error{kInput} that names the file and what is wrong: see SegmentFile; also when it is not of the
  /// recipe and layout of the spec.
  TableSegment(const std::string& path, const TableStoreSpec& spec);

  [[nodiscard]] const SegmentFile& file() const noexcept { return *file_; }
  [[nodiscard]] TablePart part() const noexcept { return {&layout_, rows_, head_.rows, tables_, &file_->guard(), last_sequence_}; }
  [[nodiscard]] uint32_t rows() const noexcept { return head_.rows; }
  /// Calls visit(sequence, features) for every hot row, in their order. Throws Error{kInput} when the file is damaged.
  void for_each_hot(const std::function<void(uint64_t sequence, std::span<const uint64_t> features)>& visit) const;
  /// Reads everything: each row is found by its tables or is hot, and rows ascend. Throws Error{kInput} that names the file and the row.
  void verify(uint32_t threads) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::unique_ptr<const SegmentFile> file_;
  RowLayout layout_;
  table_segment::PayloadHead head_{};
  table_segment::PayloadTail tail_{};
  const uint8_t* rows_ = nullptr;
  std::vector<SlotTable> tables_;
  const char* hot_ = nullptr;
  uint64_t last_sequence_ = 0;
};

}  // namespace neardup
