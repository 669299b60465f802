// Buffer and Pool: memory that batches borrow and return, so that a pass does not allocate for every batch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace neardup {

/// How far simdjson reads beyond the end of a line. Defined here so that buffers need not include simdjson.h; json_record.cc compares it
/// with simdjson's own constant.
inline constexpr size_t kJsonPadding = 64;

/// Uninitialized bytes, followed by the padding that the JSON parser may read.
class Buffer {
 public:
  /// Makes room for `bytes` bytes and keeps the content.
  void reserve(size_t bytes) {
    if (bytes <= capacity_) return;
    const size_t capacity = std::max(bytes, capacity_ + capacity_ / 2);
    auto data = std::make_unique_for_overwrite<char[]>(capacity + kJsonPadding);
    if (size_ > 0) std::memcpy(data.get(), data_.get(), size_);
    data_ = std::move(data);
    capacity_ = capacity;
  }
  /// Requires bytes <= capacity().
  void set_size(size_t bytes) noexcept { size_ = bytes; }
  void assign(std::string_view bytes) {
    size_ = 0;
    reserve(bytes.size());
    if (!bytes.empty()) std::memcpy(data_.get(), bytes.data(), bytes.size());
    size_ = bytes.size();
  }

  [[nodiscard]] char* data() noexcept { return data_.get(); }
  [[nodiscard]] size_t size() const noexcept { return size_; }
  [[nodiscard]] size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::string_view view() const noexcept { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

/// Thread-safe. Last in, first out: the pages of the last buffer are cached.
template <class T>
class Pool {
 public:
  /// A null pointer when there is none to reuse.
  std::unique_ptr<T> take() {
    const std::lock_guard lock(mutex_);
    if (items_.empty()) return nullptr;
    auto item = std::move(items_.back());
    items_.pop_back();
    return item;
  }
  void give(std::unique_ptr<T> item) {
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> items_;
};

}  // namespace neardup
