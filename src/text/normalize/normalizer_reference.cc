#include "text/normalize/normalizer_reference.h"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <new>

#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

std::u32string repaired_code_points(std::string_view text) {
  std::u32string code_points;
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    code_points.push_back(decoded.code_point);
    at += decoded.length;
  }
  return code_points;
}

std::u32string without_white_space_between_cjk(const std::u32string& text) {
  std::u32string kept;
  for (size_t at = 0; at < text.size();) {
    if (!is_white_space(text[at])) {
      kept.push_back(text[at++]);
      continue;
    }
    size_t end = at;
    while (end < text.size() && is_white_space(text[end])) ++end;
    const bool between_cjk = at > 0 && end < text.size() && is_cjk(text[at - 1]) && is_cjk(text[end]);
    if (!between_cjk) kept.append(text, at, end - at);
    at = end;
  }
  return kept;
}

void append_collapsed(const icu::UnicodeString& text, std::string& out) {
  for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    const auto c = static_cast<char32_t>(text.char32At(at));
    if (!is_white_space(c)) {
      append_utf8(c, out);
    } else if (!out.empty() && out.back() != ' ') {
      out.push_back(' ');
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
}

class ReferenceNormalizer final : public Normalizer {
 public:
  explicit ReferenceNormalizer(NormalizerKind kind) : kind_(kind) {}

  void normalize(std::string_view text, RawVector<char>& out, std::string& piece) const override {
    if (kind_ == NormalizerKind::kNone || kind_ == NormalizerKind::kLowerCompact) return without_form(text, out, piece);
    const std::u32string code_points = without_white_space_between_cjk(repaired_code_points(text));
    if (code_points.size() > INT32_MAX) throw std::bad_alloc();  // ICU counts in int32_t
    const auto utf16 =
        icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(code_points.data()), static_cast<int32_t>(code_points.size()));
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* form =
        kind_ == NormalizerKind::kCasefold ? icu::Normalizer2::getNFKCCasefoldInstance(status) : icu::Normalizer2::getNFKCInstance(status);
    icu::UnicodeString formed;
    if (U_SUCCESS(status)) form->normalize(utf16, formed, status);
    if (U_SUCCESS(status) && kind_ == NormalizerKind::kLower) formed.toLower(icu::Locale::getRoot());
    if (U_FAILURE(status) || formed.isBogus()) throw std::bad_alloc();
    piece.clear();
    append_collapsed(formed, piece);
    out.assign(piece.begin(), piece.end());
  }

 private:
  void without_form(std::string_view text, RawVector<char>& out, std::string& piece) const {
    const std::u32string code_points = repaired_code_points(text);
    if (code_points.size() > INT32_MAX) throw std::bad_alloc();  // ICU counts in int32_t
    auto utf16 =
        icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(code_points.data()), static_cast<int32_t>(code_points.size()));
    const bool compact = kind_ == NormalizerKind::kLowerCompact;
    if (compact) utf16.toLower(icu::Locale::getRoot());
    piece.clear();
    for (int32_t at = 0; at < utf16.length(); at = utf16.moveIndex32(at, 1)) {
      const auto c = static_cast<char32_t>(utf16.char32At(at));
      if (!compact || !is_white_space(c)) append_utf8(c, piece);
    }
    out.assign(piece.begin(), piece.end());
  }

  NormalizerKind kind_;
};

}  // namespace

std::unique_ptr<const Normalizer> make_reference_normalizer(NormalizerKind kind) {
  return std::make_unique<ReferenceNormalizer>(kind);
}

}  // namespace neardup
