// PageBuffer: growing memory for gigabytes, in large pages where the system has them. It begins at a page and grows without copying.
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
  PageBuffer& operator=(PageBuffer&& other) noexcept;

  /// Throws Error{kResource}, naming the bytes, when the system has no more. What was appended may move.
  void append(std::string_view bytes) override {
    if (bytes.empty()) return;
    if (bytes.size() > capacity_ - size_) make_room(bytes.size());
    std::memcpy(data() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  [[nodiscard]] uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] const char* data() const noexcept { return static_cast<const char*>(begin_); }
  [[nodiscard]] char* data() noexcept { return static_cast<char*>(begin_); }
  /// Room for so many bytes, whose contents are unspecified. Throws as append() does.
  void reset(size_t bytes);
  /// Gives back the pages after the last byte. Only before more is appended.
  void shrink();

 private:
  void make_room(size_t more);
  void grow(size_t capacity);

  void* begin_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace neardup
