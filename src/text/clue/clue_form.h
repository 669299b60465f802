// ClueForm: the normal form in which a clue is looked for in texts. "Contains" is defined on forms.
//
// clue_v1, in order: (1) the normalizer NFKC_Casefold; (2) if asked for, traditional characters become simplified ones (HanFold);
// (3) letters, digits, marks and wide characters are kept, all others are separators: a run of separators between two kept code points
// becomes one blank if neither is wide, else nothing; those at the ends are dropped.
//
// A wide code point (ideograph, kana, Hangul syllable: is_single_token()) has two columns, any other one: about as much is said by two
// letters as by one ideograph, so lengths in columns mean the same in both.
//
// Local: the form of a text that is cut between two code points which do not compose is a part of the form of the whole, blanks at the cut
// aside. Immutable, shared by threads, which bring a scratch each. Total: any bytes in, valid UTF-8 out.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/raw_vector.h"
#include "text/normalize/han_fold.h"
#include "text/normalize/normalizer.h"
#include "text/normalize/unicode_form.h"
#include "text/utf8/code_points.h"

namespace neardup {

/// 2 if the code point is wide, else 1.
uint32_t columns_of(char32_t c) noexcept;
/// The same, in a loop; `classes` is word_classes().
inline uint32_t columns_of(char32_t c, const std::array<WordClass, 0x10000>& classes) noexcept {
  if (c < 0x2E80) return 1;
  const bool wide = c < 0x10000 ? classes[c] == WordClass::kSingle : is_single_token(c);
  return wide ? 2 : 1;
}

class ClueForm {
 public:
  struct Scratch {
    RawVector<char> normalized;
    std::string piece;
    std::string folded;
  };
  /// Bytes of a text.
  struct Place {
    uint32_t begin;
    uint32_t end;
    friend bool operator==(const Place&, const Place&) = default;
  };

  explicit ClueForm(bool fold_han);

  /// Replaces `out`, which must not hold the text.
  void form(std::string_view text, std::string& out, Scratch& scratch) const;
  /// The same form, several times slower; places[i] are the bytes of `text` that became code point i of the form. Begins and ends ascend.
  /// Code points that were composed together share one place; the place of a blank is that of the separators it stands for.
  /// Requires a text below 2^32 bytes.
  void form_with_places(std::string_view text, std::string& out, std::vector<Place>& places, Scratch& scratch) const;

 private:
  std::unique_ptr<const Normalizer> normalizer_;
  const UnicodeForm& unicode_form_;
  const HanFold* fold_;  // null: none
};

}  // namespace neardup
