// GrowingText: bytes that are filled at their end through a pointer. There are more of them than are in use; finish() cuts them.
#pragma once

#include <cstddef>
#include <cstring>

#include "neardup/tools/raw_vector.h"

namespace neardup {

class GrowingText {
 public:
  explicit GrowingText(RawVector<char>& bytes) noexcept : bytes_(bytes) {}

  /// Makes room for `more` bytes after the end. Moves the bytes.
  void make_room(size_t more) {
    if (bytes_.size() - end_ < more) bytes_.resize(end_ + more + end_ / 4);
  }

  [[nodiscard]] char* tail() noexcept { return bytes_.data() + end_; }
  [[nodiscard]] const char* data() const noexcept { return bytes_.data(); }
  [[nodiscard]] size_t size() const noexcept { return end_; }
  /// True at the beginning too: white space there is dropped like white space after a blank.
  [[nodiscard]] bool ends_blank() const noexcept { return end_ == 0 || bytes_[end_ - 1] == ' '; }

  /// The bytes were written at tail().
  void advance(size_t bytes) noexcept { end_ += bytes; }
  void cut_to(size_t size) noexcept { end_ = size; }

  void append(const char* bytes, size_t count) {
    make_room(count);
    std::memcpy(tail(), bytes, count);
    end_ += count;
  }

  /// Drops the blanks after `begin` that come after a blank.
  void collapse_blanks_from(size_t begin) noexcept {
    size_t to = begin;
    for (size_t from = begin; from < end_; ++from) {
      if (bytes_[from] == ' ' && (to == 0 || bytes_[to - 1] == ' ')) continue;
      bytes_[to++] = bytes_[from];
    }
    end_ = to;
  }

  /// Drops a blank at the end, and what is not in use.
  void finish() {
    if (end_ > 0 && bytes_[end_ - 1] == ' ') --end_;
    bytes_.resize(end_);
  }

 private:
  RawVector<char>& bytes_;
  size_t end_ = 0;
};

}  // namespace neardup
