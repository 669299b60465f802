#include "base/row_store.h"

namespace neardup {

void RowStore::append(std::vector<uint8_t> rows) {
  if (row_bytes_ == 0) return;
  const auto count = static_cast<uint32_t>(rows.size() / row_bytes_);
  blocks_.append(std::move(rows));
  numbers_.push_back({.first = next_number_, .count = count});
  next_number_ += count;
}

void RowStore::read(size_t block, std::span<const uint32_t> numbers, size_t& next, std::vector<uint8_t>& space,
                    const std::function<void(const uint8_t* row)>& put) const {
  const auto [first, count] = numbers_[block];
  const uint32_t end = first + count;
  if (next == numbers.size() || numbers[next] >= end) return;
  const auto rows = blocks_.read(block, 0, count * row_bytes_, space);
  for (; next < numbers.size() && numbers[next] < end; ++next) put(rows.data() + (numbers[next] - first) * row_bytes_);
}

void RowStore::read(std::span<const uint32_t> numbers, const std::function<void(const uint8_t* row)>& put) const {
  std::vector<uint8_t> space;
  size_t next = 0;
  for (size_t block = 0; block < blocks_.count(); ++block) read(block, numbers, next, space, put);
}

void RowStore::take(std::span<const uint32_t> numbers, const std::function<void(const uint8_t* row)>& put) {
  std::vector<uint8_t> space;
  size_t next = 0;
  for (size_t block = 0; block < blocks_.count(); ++block) {
    read(block, numbers, next, space, put);
    blocks_.forget(block);
  }
}

void RowStore::keep(std::span<const uint32_t> numbers) {
  constexpr size_t kBlockRows = 8192;
  RowStore kept(row_bytes_, blocks_.empty_like());
  std::vector<uint8_t> rows;
  take(numbers, [&](const uint8_t* row) {
    rows.insert(rows.end(), row, row + row_bytes_);
    if (rows.size() == kBlockRows * row_bytes_) kept.append(std::exchange(rows, {}));
  });
  if (!rows.empty()) kept.append(std::move(rows));
  *this = std::move(kept);
}

}  // namespace neardup
