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
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/tools/recipe_kinds.h"

namespace neardup {

class UnicodeForm {
 public:
  /// An image that is longer than three bytes of UTF-8.
  struct Expansion {
    uint8_t length;
    char bytes[15];
  };
  /// The image of a code point: kNotPlain; or its bytes, the first one lowest, and their number (1..3) in the highest byte; or,
  /// from kFirstExpansion, an index of expansion().
  using Image = uint32_t;
  static constexpr Image kNotPlain = 0;
  static constexpr Image kFirstExpansion = 0x80000000;
  static constexpr int kLengthShift = 24;

  /// Throws std::bad_alloc if ICU has no data.
  static const UnicodeForm& of(NormalizerKind kind);

  /// For code points in 0x80..0xFFFF. White space and surrogates are not plain.
  [[nodiscard]] Image image(char32_t c) const noexcept { return images_[c]; }
  [[nodiscard]] const Expansion& expansion(Image image) const noexcept { return expansions_[image - kFirstExpansion]; }
  /// Of a code point above 0xFFFF: its image is itself.
  [[nodiscard]] bool leaves_astral(char32_t c) const noexcept;
  /// Of any code point that is not white space.
  [[nodiscard]] bool is_plain(char32_t c) const noexcept;
  [[nodiscard]] bool has_boundary_before(char32_t c) const noexcept;

  /// Appends the form of `piece`, but for the lower-case mapping of kLower, to `sink`.
  void compose(std::string_view piece, icu::ByteSink& sink) const;
  /// Appends the lower-case mapping of a composed text to `sink`, except that of capital sigmas, which depend on the whole text
  /// (final_sigma.h) and are kept; returns whether there are any.
  static bool lower(std::string_view composed, icu::ByteSink& sink);
  /// True for kLower: lower() comes after compose().
  [[nodiscard]] bool lowers() const noexcept { return kind_ == NormalizerKind::kLower; }

 private:
  explicit UnicodeForm(NormalizerKind kind);
  Image make_image(char32_t c);

  NormalizerKind kind_;
  const icu::Normalizer2* composer_;
  std::array<Image, 0x10000> images_{};
  std::vector<Expansion> expansions_;
};

/// A composed form by its definition (Unicode Standard Annex #15): decompose every code point, sort each run of marks by combining class,
/// keeping the order of equal ones, and compose pairs. O(n log n), whatever the text. ICU inserts each mark at its place instead, which is
/// faster for the few marks of real text and takes the square of the marks of a hostile one: U+0316 U+0301, repeated.
///
/// Appends the form of `text`, which must be well-formed UTF-8, to `sink`: the bytes that form.normalizeUTF8() writes. `form` composes.
void compose_by_definition(const icu::Normalizer2& form, std::string_view text, icu::ByteSink& sink);

/// True if ICU may take superlinear time: `text` has many code points without a boundary between them.
bool has_long_segment(const icu::Normalizer2& form, std::string_view text) noexcept;

}  // namespace neardup
