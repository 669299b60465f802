// UnicodeForm: step 3 of the normalizer, for one code point (by a table) and for a piece of text (by ICU).
//
// A code point is *plain* if its image depends on no neighbour but a following code point that is not plain. The images of plain
// code points come from a table, made once per kind in a few milliseconds and shared. A piece of text may be formed on its own
// if it begins with a plain code point or with one that has a boundary before it, and ends before a plain one.
// Immutable, shared by threads.
#pragma once

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/recipe.h"

namespace neardup {

class UnicodeForm {
 public:
  /// An image of several code points, in UTF-8.
  struct Expansion {
    uint8_t length;
    char bytes[15];
  };
  /// Entries of image(): a code point of its own; kNotPlain; or, from kFirstExpansion, an index of expansion().
  static constexpr uint16_t kNotPlain = 0;
  static constexpr uint16_t kFirstExpansion = 0xD800;
  static constexpr uint16_t kLastExpansion = 0xDFFF;

  /// Throws std::bad_alloc if ICU has no data.
  static const UnicodeForm& of(NormalizerKind kind);

  /// The image of a code point in 0x80..0xFFFF that is not white space: white space itself is never plain here.
  [[nodiscard]] uint16_t image(char32_t c) const noexcept { return images_[c]; }
  [[nodiscard]] const Expansion& expansion(uint16_t image) const noexcept { return expansions_[image - kFirstExpansion]; }
  /// Of a code point above 0xFFFF: its image is itself.
  [[nodiscard]] bool leaves_astral(char32_t c) const noexcept;
  /// Of any code point that is not white space.
  [[nodiscard]] bool is_plain(char32_t c) const noexcept;
  [[nodiscard]] bool has_boundary_before(char32_t c) const noexcept;

  /// Appends the form of `piece`, but for the lower-case mapping of kLower, to `sink`.
  void compose(std::string_view piece, icu::ByteSink& sink) const;
  /// The lower-case mapping of a composed text; its final sigma needs all of the text.
  static void lower(std::string_view composed, icu::ByteSink& sink);
  /// True for kLower: lower() comes after compose().
  [[nodiscard]] bool lowers() const noexcept { return kind_ == NormalizerKind::kLower; }

 private:
  explicit UnicodeForm(NormalizerKind kind);
  uint16_t make_image(char32_t c);

  NormalizerKind kind_;
  const icu::Normalizer2* composer_;
  std::array<uint16_t, 0x10000> images_{};
  std::vector<Expansion> expansions_;
};

}  // namespace neardup
