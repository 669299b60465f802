#include "text/normalize/unicode_form.h"

#include <unicode/casemap.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "text/normalize/final_sigma.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

void check(UErrorCode status) {
  if (U_FAILURE(status)) throw std::bad_alloc();  // the only failure possible with valid text, unless ICU has no data
}

// Uses the function that takes the locale as text: Locale::getRoot() is a null reference when memory is short, and UnicodeString::toLower()
// hides errors.
icu::UnicodeString lowered(const icu::UnicodeString& text) {
  constexpr int32_t kMaxUnits = 64;  // the image of one code point has 18 at most
  char16_t units[kMaxUnits];
  UErrorCode status = U_ZERO_ERROR;
  const int32_t length = icu::CaseMap::toLower("", 0, text.getBuffer(), text.length(), units, kMaxUnits, nullptr, status);
  check(status);
  const icu::UnicodeString result(units, length);
  if (result.isBogus()) throw std::bad_alloc();
  return result;
}

const icu::Normalizer2* composer_of(NormalizerKind kind) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* composer =
      kind == NormalizerKind::kCasefold ? icu::Normalizer2::getNFKCCasefoldInstance(status) : icu::Normalizer2::getNFKCInstance(status);
  check(status);
  return composer;
}

// Of compose_by_definition(): a code point and, above it, its combining class.
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

const UnicodeForm& UnicodeForm::of(NormalizerKind kind) {
  if (kind == NormalizerKind::kCasefold) {
    static const UnicodeForm casefold(NormalizerKind::kCasefold);
    return casefold;
  }
  static const UnicodeForm lower(NormalizerKind::kLower);
  return lower;
}

UnicodeForm::UnicodeForm(NormalizerKind kind) : kind_(kind), composer_(composer_of(kind)) {
  for (char32_t c = 0x80; c < 0x10000; ++c) {
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    images_[c] = surrogate ? kNotPlain : make_image(c);
  }
}

UnicodeForm::Image UnicodeForm::make_image(char32_t c) {
  const auto code_point = static_cast<UChar32>(c);
  if (is_white_space(c) || !composer_->hasBoundaryBefore(code_point)) return kNotPlain;

  icu::UnicodeString composed(code_point);
  if (!composer_->isInert(code_point)) {
    UErrorCode status = U_ZERO_ERROR;
    composed = composer_->normalize(icu::UnicodeString(code_point), status);
    check(status);
    if (composed.isBogus()) throw std::bad_alloc();
  }
  if (lowers()) {
    if (composed.indexOf(char16_t{kCapitalSigma}) >= 0) return kNotPlain;  // its image depends on the letters around it
    composed = lowered(composed);
  }
  for (int32_t i = 0; i < composed.length(); ++i) {
    if (is_white_space(composed[i])) return kNotPlain;  // must collapse with the white space around it
  }
  std::string bytes;
  composed.toUTF8String(bytes);
  if (bytes.empty()) return kNotPlain;
  if (bytes.size() <= 3) {
    Image image = static_cast<Image>(bytes.size()) << kLengthShift;
    for (size_t i = 0; i < bytes.size(); ++i) image |= static_cast<Image>(static_cast<uint8_t>(bytes[i])) << (8 * i);
    return image;
  }
  Expansion expansion{};
  if (bytes.size() > sizeof(expansion.bytes)) return kNotPlain;
  expansion.length = static_cast<uint8_t>(bytes.size());
  std::memcpy(expansion.bytes, bytes.data(), bytes.size());
  expansions_.push_back(expansion);
  return static_cast<Image>(kFirstExpansion + expansions_.size() - 1);
}

bool UnicodeForm::leaves_astral(char32_t c) const noexcept {
  // Planes 2 and 3 are ideographs; only the compatibility ideographs from U+2F800 have images.
  if (c >= 0x20000 && c < 0x2F800) return true;
  const auto code_point = static_cast<UChar32>(c);
  return composer_->isInert(code_point) && (!lowers() || u_tolower(code_point) == code_point);
}

bool UnicodeForm::is_plain(char32_t c) const noexcept {
  if (c < 0x80) return true;
  return c < 0x10000 ? images_[c] != kNotPlain : leaves_astral(c);
}

bool UnicodeForm::has_boundary_before(char32_t c) const noexcept {
  return composer_->hasBoundaryBefore(static_cast<UChar32>(c));
}

void UnicodeForm::compose(std::string_view piece, icu::ByteSink& sink) const {
  if (piece.size() > INT32_MAX) throw std::bad_alloc();  // ICU counts in int32_t
  if (has_long_segment(*composer_, piece)) return compose_by_definition(*composer_, piece, sink);
  UErrorCode status = U_ZERO_ERROR;
  composer_->normalizeUTF8(0, icu::StringPiece(piece.data(), static_cast<int32_t>(piece.size())), sink, nullptr, status);
  check(status);
}

bool UnicodeForm::lower(std::string_view composed, icu::ByteSink& sink) {
  if (composed.size() > INT32_MAX) throw std::bad_alloc();
  bool sigma = false;
  while (true) {
    const size_t end = composed.find(kCapitalSigmaUtf8);
    const std::string_view part = composed.substr(0, end);
    UErrorCode status = U_ZERO_ERROR;
    icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(part.data(), static_cast<int32_t>(part.size())), sink, nullptr, status);
    check(status);
    if (end == std::string_view::npos) return sigma;
    sigma = true;
    sink.Append(kCapitalSigmaUtf8.data(), static_cast<int32_t>(kCapitalSigmaUtf8.size()));
    composed.remove_prefix(end + kCapitalSigmaUtf8.size());
  }
}

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
  constexpr size_t kLong = 64;  // ICU moves at most half as many marks for each one: no more than its other work
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
