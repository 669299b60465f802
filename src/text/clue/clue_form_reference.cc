#include "text/clue/clue_form_reference.h"

#include "neardup/tools/recipe_kinds.h"
#include "text/normalize/han_fold.h"
#include "text/normalize/normalizer_reference.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {

std::string reference_clue_form(std::string_view text, bool fold_han) {
  RawVector<char> normalized;
  std::string piece;
  make_reference_normalizer(NormalizerKind::kCasefold)->normalize(text, normalized, piece);
  std::u32string points;
  for (size_t at = 0; at < normalized.size();) {
    const Decoded decoded = decode_utf8(view_of(normalized), at);
    points.push_back(fold_han ? HanFold::traditional_to_simplified().fold(decoded.code_point) : decoded.code_point);
    at += decoded.length;
  }
  std::string out;
  char32_t last = 0;  // the last kept code point; 0: none
  bool separated = false;
  for (const char32_t c : points) {
    if (word_class(c) == WordClass::kSeparator) {
      separated = true;
      continue;
    }
    if (separated && last != 0 && !is_single_token(last) && !is_single_token(c)) out.push_back(' ');
    append_utf8(c, out);
    last = c;
    separated = false;
  }
  return out;
}

}  // namespace neardup
