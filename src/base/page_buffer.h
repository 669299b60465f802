// PageBuffer: growing memory for gigabytes, in large pages where the system has them. It begins at a page and grows without copying.
//
// For one thread while it grows; afterwards any number of threads may read its bytes. Throws Error{kResource}, naming the bytes, when the
// system has no more memory; its contents are unchanged then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/byte_sink.h"

namespace neardup {

class PageBuffer final : public ByteSink {
 public:
  PageBuffer() = default;
  ~PageBuffer() override;
  PageBuffer(PageBuffer&& other) noexcept;
  PageBuffer& operator=(PageBuffer&& other) noexcept;  // swaps

  /// What was appended before may move.
  void append(std::string_view bytes) override {
    if (bytes.empty()) return;
    if (bytes.size() > capacity_ - size_) make_room(bytes.size());
    std::memcpy(data() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  [[nodiscard]] uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] const char* data() const noexcept { return static_cast<const char*>(begin_); }
  [[nodiscard]] char* data() noexcept { return static_cast<char*>(begin_); }
  /// Resizes to `bytes` bytes, whose contents are unspecified. Empty if it throws.
  void reset(size_t bytes);
  /// Returns the unused pages; a later append() reserves again.
  void shrink();

 private:
  void make_room(size_t more);
  void grow(size_t capacity);

  void* begin_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace neardup
