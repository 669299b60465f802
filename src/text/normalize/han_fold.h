// HanFold: replaces every traditional Chinese character by its simplified one, character by character, so that both spellings of a text
// match.
//
// The table is made at first use from ICU's transliterator Traditional-Simplified: the image of a code point is what the transliterator
// makes of it alone. Its rules for words of several characters are not used: a fold must not depend on the neighbours of a character. If
// images have other images (it swaps U+82CE and U+82E7), the image is the smallest code point of the cycle that they lead into, so that
// folding is idempotent. It is not a conversion for readers: characters that simplification merged stay merged.
//
// Immutable, shared. Total: bytes that are not UTF-8 are unchanged.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neardup {

class HanFold {
 public:
  static const HanFold& traditional_to_simplified();
  /// From any table of code points that are not surrogates; those below U+2E80 and above U+3FFFF are unchanged. Images of images are
  /// followed as described above.
  explicit HanFold(const std::map<char32_t, char32_t>& images);

  [[nodiscard]] char32_t fold(char32_t c) const noexcept;
  /// Replaces `out`, which must not hold the text.
  void fold(std::string_view text, std::string& out) const;
  /// Code points that change.
  [[nodiscard]] size_t size() const noexcept { return size_; }
  /// XXH3-64 of all pairs in ascending order of the first, each two code points of four bytes, low byte first. Another version of ICU may
  /// have another table: texts folded by tables with different ids must not be compared.
  [[nodiscard]] uint64_t id() const;

 private:
  void fold_rest(std::string_view text, size_t at, std::string& out) const;

  static constexpr char32_t kFirst = 0x2E80;  // nothing below is Han
  static constexpr char32_t kEnd = 0x40000;
  std::vector<char16_t> plane_;                        // of the BMP from kFirst; 0: not in the BMP
  std::vector<std::pair<char32_t, char32_t>> others_;  // sorted; those of which one side lies above the BMP
  size_t size_ = 0;
};

}  // namespace neardup
