#include "text/normalize/canonical_form.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// A code point and, above it, its combining class.
using Marked = uint32_t;
constexpr int kClassShift = 24;

constexpr UChar32 code_point_of(Marked marked) noexcept {
  return static_cast<UChar32>(marked & ((Marked{1} << kClassShift) - 1));
}
constexpr uint32_t class_of(Marked marked) noexcept {
  return marked >> kClassShift;
}
Marked marked(UChar32 c) noexcept {
  return static_cast<Marked>(c) | Marked{u_getCombiningClass(c)} << kClassShift;
}

std::vector<Marked> decompose(const icu::Normalizer2& form, std::string_view text) {
  std::vector<Marked> points;
  points.reserve(text.size() / 2);
  icu::UnicodeString mapping;
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    at += decoded.length;
    const auto c = static_cast<UChar32>(decoded.code_point);
    if (!form.getDecomposition(c, mapping)) {
      points.push_back(marked(c));
      continue;
    }
    for (int32_t i = 0; i < mapping.length(); i = mapping.moveIndex32(i, 1)) points.push_back(marked(mapping.char32At(i)));
  }
  return points;
}

void sort_marks(std::vector<Marked>& points) {
  for (auto begin = points.begin(); begin != points.end();) {
    begin = std::find_if(begin, points.end(), [](Marked point) { return class_of(point) != 0; });
    const auto end = std::find_if(begin, points.end(), [](Marked point) { return class_of(point) == 0; });
    std::stable_sort(begin, end, [](Marked a, Marked b) { return class_of(a) < class_of(b); });
    begin = end;
  }
}

// A code point composes with the last starter unless something between them blocks it: for a mark, one of its own class that did not
// compose (the marks are sorted, so there is none of a higher class); for a starter, any mark that did not compose.
// In place: a code point that composed is dropped, so the result is never longer than the part that was read.
void compose(const icu::Normalizer2& form, std::vector<Marked>& points) {
  size_t count = 0;
  size_t starter = SIZE_MAX;  // in the result
  uint32_t class_before = 0;  // of the last code point of the result
  for (const Marked point : points) {
    const uint32_t own_class = class_of(point);
    if (starter != SIZE_MAX && (class_before < own_class || class_before == 0)) {
      const UChar32 composite = form.composePair(code_point_of(points[starter]), code_point_of(point));
      if (composite >= 0) {
        points[starter] = marked(composite);
        continue;
      }
    }
    if (own_class == 0) starter = count;
    class_before = own_class;
    points[count++] = point;
  }
  points.resize(count);
}

}  // namespace

void compose_by_definition(const icu::Normalizer2& form, std::string_view text, icu::ByteSink& sink) {
  std::vector<Marked> points = decompose(form, text);
  sort_marks(points);
  compose(form, points);
  constexpr size_t kPiece = 1 << 12;
  std::string bytes;
  for (const Marked point : points) {
    append_utf8(static_cast<char32_t>(code_point_of(point)), bytes);
    if (bytes.size() < kPiece) continue;
    sink.Append(bytes.data(), static_cast<int32_t>(bytes.size()));
    bytes.clear();
  }
  sink.Append(bytes.data(), static_cast<int32_t>(bytes.size()));
}

bool has_long_segment(const icu::Normalizer2& form, std::string_view text) noexcept {
  constexpr size_t kLong = 64;  // ICU moves at most half as many marks for each one: no more work than the rest it does
  size_t segment = 0;
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    at += decoded.length;
    segment = form.hasBoundaryBefore(static_cast<UChar32>(decoded.code_point)) ? 0 : segment + 1;
    if (segment == kLong) return true;
  }
  return false;
}

}  // namespace neardup
