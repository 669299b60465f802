#include "store/tables/table_segment_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "base/parallel.h"
#include "neardup/error.h"
#include "store/tables/table_segment.h"

namespace neardup {
namespace {

using table_segment::HotRow;
using table_segment::padded;
using table_segment::PayloadHead;
using table_segment::PayloadTail;

template <typename T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// The rows of all parts, numbered as they will be in the segment.
class NumberedRows {
 public:
  explicit NumberedRows(std::span<const TableRows> parts) : parts_(parts) {
    for (const TableRows& part : parts) {
      begin_.push_back(rows_);
      rows_ += part.rows.size();
    }
    if (rows_ > SlotTable::kMaxRows)
      throw Error(ErrorCode::kUsage, fmt::format("a segment of {} rows; expected at most {}", rows_, SlotTable::kMaxRows));
  }
  [[nodiscard]] uint32_t count() const noexcept { return static_cast<uint32_t>(rows_); }
  [[nodiscard]] const uint8_t* row(uint32_t number) const {
    const auto after = std::ranges::upper_bound(begin_, number);
    const auto part = static_cast<size_t>(after - begin_.begin()) - 1;
    return parts_[part].part.row(parts_[part].rows[number - begin_[part]]);
  }
  template <typename Visit>
  void for_each(const Visit& visit) const {
    uint32_t number = 0;
    for (const TableRows& part : parts_) {
      for (const uint32_t row : part.rows) visit(number++, part.part.row(row));
    }
  }

 private:
  std::span<const TableRows> parts_;
  std::vector<uint64_t> begin_;
  uint64_t rows_ = 0;
};

// Rows that a full bucket does not take are marked in `hot`.
SlotTableBuilder build_table(const RowLayout& layout, uint32_t table, const NumberedRows& rows, std::vector<std::atomic<uint8_t>>& hot) {
  SlotTableBuilder built(rows.count());
  const uint32_t most = table < layout.bands() ? kBucketRows : kAllRows;
  rows.for_each([&](uint32_t number, const uint8_t* row) {
    if (!layout.in_table(row, table)) return;
    const uint64_t key = layout.key(row, table);
    const auto same = [&](uint32_t other) { return layout.key(rows.row(other), table) == key; };
    if (!built.insert(key, number, most, same, [](uint32_t) { return false; })) hot[number].store(1, std::memory_order_relaxed);
  });
  return built;
}

}  // namespace

WrittenSegment write_table_segment(const std::string& path, const TableStoreSpec& spec, std::span<const TableRows> parts,
                                   const ChangeRow& change, const ReadFeatures& read, uint32_t threads) {
  const RowLayout layout = spec.layout();
  const NumberedRows rows(parts);
  SegmentWriter writer(
      path, {.kind = std::string(table_segment::kKind), .recipe_id = spec.recipe_id, .recipe = spec.recipe, .entries = rows.count()});
  const PayloadHead head{.bands = spec.bands,
                         .rows_per_band = spec.rows_per_band,
                         .filter_bytes = spec.filter_bytes,
                         .bucket_rows = kBucketRows,
                         .rows = rows.count(),
                         .groups = SlotTable::groups_for(rows.count())};
  writer.append(bytes_of(head));
  std::vector<uint8_t> copy(layout.row_bytes());
  rows.for_each([&](uint32_t, const uint8_t* row) {
    std::copy_n(row, copy.size(), copy.begin());
    change(copy.data());
    writer.append({reinterpret_cast<const char*>(copy.data()), copy.size()});
  });

  writer.append(std::string(padded(writer.size()) - writer.size(), '\0'));

  std::vector<std::atomic<uint8_t>> hot(rows.count());
  // As many tables at once as there are threads: their memory is bounded.
  for (uint32_t first = 0; first < layout.tables(); first += threads) {
    const uint32_t some = std::min(threads, layout.tables() - first);
    std::vector<SlotTableBuilder> tables(some);
    parallel_for(threads, some, 1,
                 [&](uint32_t, size_t i) { tables[i] = build_table(layout, first + static_cast<uint32_t>(i), rows, hot); });
    for (const SlotTableBuilder& table : tables) {
      writer.append({reinterpret_cast<const char*>(table.slots()), table.bytes()});
    }
  }

  PayloadTail tail{};
  std::vector<uint64_t> features;
  std::vector<uint64_t> hot_features;
  for (uint32_t number = 0; number < rows.count(); ++number) {
    if (hot[number].load(std::memory_order_relaxed) == 0) continue;
    read(RowLayout::sequence(rows.row(number)), features);
    writer.append(bytes_of(HotRow{number, static_cast<uint32_t>(features.size())}));
    hot_features.insert(hot_features.end(), features.begin(), features.end());
    ++tail.hot_rows;
  }
  tail.hot_features = hot_features.size();
  writer.append({reinterpret_cast<const char*>(hot_features.data()), hot_features.size() * sizeof(uint64_t)});
  writer.append(bytes_of(tail));
  writer.commit();
  return {writer.sum(), rows.count()};
}

}  // namespace neardup
