// CharacterCounter: the characters before places of a text that do not descend, in one pass. Of malformed UTF-8 each byte that does not
// continue a character counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace neardup::cli {

/// For one thread.
class CharacterCounter {
 public:
  explicit CharacterCounter(std::string_view text) : text_(text) {}

  /// Those that begin before `byte`, which is at most the size of the text, and not less than the one before.
  uint64_t before(size_t byte) noexcept {
    for (; at_ < byte; ++at_) count_ += static_cast<uint64_t>((static_cast<uint8_t>(text_[at_]) & 0xC0) != 0x80);
    return count_;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  uint64_t count_ = 0;
};

}  // namespace neardup::cli
