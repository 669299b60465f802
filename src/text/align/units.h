// for_each_unit(): cuts an original text into the units that align_texts() compares, with their places and folded forms.
//
// The folded form of a unit is NFKC_Casefold of its bytes. A piece is a code point with those after it that compose with it; units are runs
// of whole pieces, so the folded forms of the units of a text, one after the other, are that of its stretches without white space. Pieces
// that fold to nothing (soft hyphens, zero-width spaces) belong to the unit before them and end no word.
//
// Total: any bytes in. Stateless but for the scratch of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

enum class UnitKind : uint8_t {
  kWord,    ///< letters, marks and digits
  kSingle,  ///< an ideograph, kana or Hangul syllable
  kOther,   ///< punctuation, a symbol, or a character whose form is mixed, such as U+00BD
};

struct Unit {
  size_t begin = 0;  ///< bytes of the text
  size_t end = 0;
  UnitKind kind = UnitKind::kOther;
  std::string_view folded;  ///< valid until the next unit; never empty
};

class UnitCutter {
 public:
  /// The text must outlive the cutter.
  explicit UnitCutter(std::string_view text);

  /// The next unit; false after the last one.
  bool next(Unit& unit);

 private:
  struct Piece {
    size_t end;
    UnitKind kind;
    bool empty;  // folds to nothing
  };
  // The piece at `at`, whose form is appended to folded_. Requires a code point there that is not white space.
  Piece take_piece(size_t at);
  void skip_white();

  std::string_view text_;
  size_t at_ = 0;
  std::string folded_;
  std::string piece_;
};

/// The number of code points, with one for each malformed part.
uint64_t count_code_points(std::string_view text) noexcept;

}  // namespace neardup
