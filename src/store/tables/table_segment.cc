#include "store/tables/table_segment.h"

#include <fmt/format.h>

#include <cstring>

#include "neardup/error.h"

namespace neardup {

using table_segment::HotRow;
using table_segment::padded;
using table_segment::PayloadHead;
using table_segment::PayloadTail;

TableSegment::TableSegment(const std::string& path, const TableStoreSpec& spec)
    : file_(SegmentFile::open(path, table_segment::kKind, 0)), layout_(spec.layout()) {
  if (file_->recipe_id() != spec.recipe_id)
    fail(fmt::format("of recipe {:016x}, but the store is of {:016x}", file_->recipe_id(), spec.recipe_id));
  const std::string_view bytes = file_->payload();
  if (bytes.size() < sizeof(PayloadHead) + sizeof(PayloadTail)) fail(fmt::format("a payload of {} bytes", bytes.size()));
  const BlockGuard& guard = file_->guard();
  guard.check(bytes.data(), sizeof(PayloadHead));
  std::memcpy(&head_, bytes.data(), sizeof head_);
  const char* const tail = bytes.data() + bytes.size() - sizeof(PayloadTail);
  guard.check(tail, sizeof(PayloadTail));
  std::memcpy(&tail_, tail, sizeof tail_);
  if (head_.bands != spec.bands || head_.rows_per_band != spec.rows_per_band || head_.filter_bytes != spec.filter_bytes) {
    fail(fmt::format("{} bands of {} rows and a filter of {} bytes, but the store has {} of {} and {}", head_.bands, head_.rows_per_band,
                     head_.filter_bytes, spec.bands, spec.rows_per_band, spec.filter_bytes));
  }
  if (head_.bucket_rows != kBucketRows)
    fail(fmt::format("buckets of {} rows, and this program reads those of {}", head_.bucket_rows, kBucketRows));
  if (head_.rows > SlotTable::kMaxRows || head_.groups != SlotTable::groups_for(head_.rows) || head_.rows != file_->entries())
    fail(fmt::format("{} rows and {} groups for {} entries", head_.rows, head_.groups, file_->entries()));
  // No sum passes 64 bits: rows are below 2^32, a row below 2^16 bytes, features below 2^52 as the file is.
  const uint64_t tables_at = padded(sizeof(PayloadHead) + uint64_t{head_.rows} * layout_.row_bytes());
  const uint64_t table_bytes = SlotTable::bytes_for(head_.groups);
  const uint64_t hot_at = tables_at + layout_.tables() * table_bytes;
  const uint64_t hot_bytes = uint64_t{tail_.hot_rows} * sizeof(HotRow);
  if (tail_.hot_rows > head_.rows || tail_.hot_features > bytes.size() ||
      hot_at + hot_bytes + tail_.hot_features * sizeof(uint64_t) + sizeof(PayloadTail) != bytes.size()) {
    fail(fmt::format("a payload of {} bytes does not hold {} rows and {} hot ones", bytes.size(), head_.rows, tail_.hot_rows));
  }
  rows_ = reinterpret_cast<const uint8_t*>(bytes.data()) + sizeof(PayloadHead);
  for (uint32_t table = 0; table < layout_.tables(); ++table) {
    tables_.emplace_back(reinterpret_cast<const uint8_t*>(bytes.data()) + tables_at + table * table_bytes, head_.groups);
  }
  hot_ = bytes.data() + hot_at;
  if (head_.rows != 0) last_sequence_ = RowLayout::sequence(part().row(head_.rows - 1));
}

void TableSegment::for_each_hot(const std::function<void(uint64_t, std::span<const uint64_t>)>& visit) const {
  const char* const features = hot_ + uint64_t{tail_.hot_rows} * sizeof(HotRow);
  file_->guard().check(hot_, uint64_t{tail_.hot_rows} * sizeof(HotRow) + tail_.hot_features * sizeof(uint64_t));
  uint64_t at = 0;
  for (uint32_t i = 0; i < tail_.hot_rows; ++i) {
    HotRow hot{};
    std::memcpy(&hot, hot_ + uint64_t{i} * sizeof(HotRow), sizeof hot);
    if (hot.row >= head_.rows || hot.features > tail_.hot_features - at) fail(fmt::format("hot row {} of {} is not valid", i, hot.row));
    visit(RowLayout::sequence(part().row(hot.row)), {reinterpret_cast<const uint64_t*>(features) + at, hot.features});
    at += hot.features;
  }
}

void TableSegment::verify(uint32_t threads) const {
  file_->verify_all(threads);
  const TablePart all = part();
  std::vector<uint8_t> hot(head_.rows);
  uint32_t next_hot = 0;
  for (uint32_t i = 0; i < tail_.hot_rows; ++i) {
    HotRow row{};
    std::memcpy(&row, hot_ + uint64_t{i} * sizeof(HotRow), sizeof row);
    if (row.row >= head_.rows || row.row < next_hot) fail(fmt::format("hot row {} is out of order", i));
    hot[row.row] = 1;
    next_hot = row.row + 1;
  }
  uint64_t before = 0;
  for (uint32_t number = 0; number < head_.rows; ++number) {
    const uint8_t* const row = all.row(number);
    const RowHead head = RowLayout::head(row);
    if (number > 0 && head.sequence <= before) fail(fmt::format("row {} is out of order", number));
    before = head.sequence;
    for (uint32_t table = 0; table < layout_.tables(); ++table) {
      if (!layout_.in_table(row, table)) continue;
      bool found = false;
      uint32_t others = 0;
      all.visit(table, layout_.key(row, table), [&](uint32_t other) {
        found |= other == number;
        ++others;
      });
      if (!found && (table >= layout_.bands() || hot[number] == 0 || others < kBucketRows))
        fail(fmt::format("table {} does not have row {}", table, number));
    }
  }
}

void TableSegment::fail(const std::string& what) const {
  throw Error(ErrorCode::kInput, fmt::format("'{}': {}", file_->name(), what));
}

}  // namespace neardup
