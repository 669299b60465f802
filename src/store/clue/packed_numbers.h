// PackedNumbers: numbers of one width in bits, in mapped bytes. PackedNumberWriter writes them. first_false(): a search that knows about
// where to look, and so touches few blocks of a file.
//
// Number i has the bits from i * width on, the lowest first, of 64-bit little-endian words; the last word is filled with zeros. Numbers of
// 0 bits take no bytes. A view is immutable and may be shared by threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/block_guard.h"
#include "base/byte_sink.h"

namespace neardup {

class PackedNumbers {
 public:
  /// width <= 64; count < 2^57
  static constexpr uint64_t bytes_for(uint64_t count, uint32_t width) noexcept { return (count * width + 63) / 64 * sizeof(uint64_t); }

  PackedNumbers() = default;
  /// bytes_for(count, width) bytes; `guard` may be null.
  PackedNumbers(const char* begin, uint32_t width, const BlockGuard* guard) noexcept
      : begin_(begin), guard_(guard), width_(width), mask_(width == 0 ? 0 : UINT64_MAX >> (64 - width)) {}

  /// Of i < count. Throws as the guard.
  [[nodiscard]] uint64_t operator[](uint64_t i) const {
    if (width_ == 0) return 0;
    const uint64_t bit = i * width_;
    const char* const at = begin_ + bit / 64 * sizeof(uint64_t);
    const auto shift = static_cast<uint32_t>(bit % 64);
    const bool in_two = shift + width_ > 64;
    if (guard_ != nullptr) guard_->check(at, in_two ? 2 * sizeof(uint64_t) : sizeof(uint64_t));
    uint64_t value = load(at) >> shift;
    if (in_two) value |= load(at + sizeof(uint64_t)) << (64 - shift);
    return value & mask_;
  }

 private:
  static uint64_t load(const char* at) noexcept {
    uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
  }

  const char* begin_ = nullptr;
  const BlockGuard* guard_ = nullptr;
  uint32_t width_ = 0;
  uint64_t mask_ = 0;
};

class PackedNumberWriter {
 public:
  PackedNumberWriter(ByteSink& sink, uint32_t width) : sink_(sink), width_(width) {}

  /// value < 2^width
  void add(uint64_t value) {
    if (width_ == 0) return;
    word_ |= value << used_;
    used_ += width_;
    if (used_ < 64) return;
    put_word();
    used_ -= 64;
    word_ = used_ == 0 ? 0 : value >> (width_ - used_);
  }
  /// Writes the rest.
  void finish() {
    if (used_ != 0) put_word();
    used_ = 0;
    word_ = 0;
    flush();
  }

 private:
  static constexpr size_t kWords = 1024;

  void put_word() {
    words_.push_back(word_);
    if (words_.size() == kWords) flush();
  }
  void flush() {
    sink_.append({reinterpret_cast<const char*>(words_.data()), words_.size() * sizeof(uint64_t)});
    words_.clear();
  }

  ByteSink& sink_;
  uint32_t width_;
  uint64_t word_ = 0;
  uint32_t used_ = 0;  // bits of word_
  std::vector<uint64_t> words_;
};

/// The first i in [begin, end) for which holds(i) is false, or `end`; holds() is true up to some number and false from there on. Looks at
/// `guess` first, then in steps of twice the distance, so a good guess costs a few calls with close numbers. For a holds() that is not like
/// that, some number in [begin, end].
template <typename Holds>
uint64_t first_false(uint64_t begin, uint64_t end, uint64_t guess, const Holds& holds) {
  if (begin == end) return end;
  uint64_t at = std::clamp(guess, begin, end - 1);
  if (holds(at)) {
    begin = at + 1;
    for (uint64_t step = 1; begin < end; step *= 2) {
      at = std::min(begin + step, end) - 1;
      if (!holds(at)) {
        end = at;
        break;
      }
      begin = at + 1;
    }
  } else {
    end = at;
    for (uint64_t step = 1; begin < end; step *= 2) {
      at = end - std::min(step, end - begin);
      if (holds(at)) {
        begin = at + 1;
        break;
      }
      end = at;
    }
  }
  while (begin < end) {
    const uint64_t middle = begin + (end - begin) / 2;
    if (holds(middle))
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

}  // namespace neardup
