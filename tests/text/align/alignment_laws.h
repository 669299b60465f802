// What every alignment of two texts is: checked by tests and by the fuzzer.
#pragma once

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <string>
#include <string_view>

#include "neardup/tools/align.h"
#include "neardup/tools/aligned_excerpt.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup::testing {

/// The NFKC_Casefold of each stretch without white space, joined, without the white space that forms bring: ICU's own, on whole stretches.
inline std::string fold_of_stretches(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const form = icu::Normalizer2::getNFKCCasefoldInstance(status);
  std::string folded;
  icu::UnicodeString stretch;
  const auto end_stretch = [&] {
    UErrorCode problem = U_ZERO_ERROR;
    std::string bytes;
    form->normalize(stretch, problem).toUTF8String(bytes);
    for (size_t at = 0; at < bytes.size();) {
      const Decoded decoded = decode_utf8(bytes, at);
      if (!is_white_space(decoded.code_point)) append_utf8(decoded.code_point, folded);
      at += decoded.length;
    }
    stretch.remove();
  };
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    at += decoded.length;
    if (is_white_space(decoded.code_point)) {
      end_stretch();
    } else {
      stretch.append(static_cast<UChar32>(decoded.code_point));
    }
  }
  end_stretch();
  return folded;
}

/// Empty if the alignment is one of these texts, else what is wrong.
inline std::string problem_of(std::string_view a, std::string_view b, const Alignment& alignment) {
  size_t a_end = 0;
  size_t b_end = 0;
  const AlignedPart* before = nullptr;
  for (const AlignedPart& part : alignment.parts) {
    if (part.a_begin != a_end || part.b_begin != b_end || part.a_end < a_end || part.b_end < b_end) return "a gap";
    if (part.a_begin == part.a_end && part.b_begin == part.b_end) return "an empty part";
    if (before != nullptr && before->kind == part.kind) return "neighbours of one kind";
    if (part.kind == AlignedPart::kSame && fold_of_stretches(part.text_of_a(a)) != fold_of_stretches(part.text_of_b(b)))
      return "not the same";
    a_end = part.a_end;
    b_end = part.b_end;
    before = &part;
  }
  return a_end == a.size() && b_end == b.size() ? "" : "an end is missing";
}

/// The same of the excerpt: what it shows and leaves out is all there is.
inline std::string problem_of_excerpt(std::string_view a, std::string_view b, const Alignment& alignment, const ExcerptLimits& limits) {
  uint64_t of_a = 0;
  uint64_t of_b = 0;
  uint64_t shown = 0;
  for (const ExcerptPiece& piece : aligned_excerpt(a, b, alignment, limits)) {
    if (piece.a_begin > a.size() || piece.b_begin > b.size()) return "a place outside";
    if (piece.kind == ExcerptPiece::kSame || piece.kind == ExcerptPiece::kOnlyA) {
      if (a.substr(piece.a_begin, piece.text.size()) != piece.text) return "another text of a";
      of_a += piece.text.size();
    } else if (piece.kind == ExcerptPiece::kOnlyB) {
      if (b.substr(piece.b_begin, piece.text.size()) != piece.text) return "another text of b";
      of_b += piece.text.size();
    }
    if (piece.characters == 0) return "an empty piece";
    if (!piece.text.empty()) shown += piece.characters;
  }
  if (of_a > a.size() || of_b > b.size()) return "more than there is";
  // The last part may pass the limit by itself: its two sides, and context on both sides of a passage.
  return shown <= limits.characters + 2 * limits.passage + 2 * limits.context + 24 ? "" : "too much is shown";
}

}  // namespace neardup::testing
