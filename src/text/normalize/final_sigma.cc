#include "text/normalize/final_sigma.h"

#include <unicode/uchar.h>

#include "text/utf8/utf8.h"

namespace neardup {
namespace {

bool is_case_ignorable(char32_t c) noexcept {
  return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_CASE_IGNORABLE) != 0;
}
bool is_cased(char32_t c) noexcept {
  return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_CASED) != 0;
}

// The code point that ends before `end` > 0. Of a malformed sequence it may find more parts than there are forwards; all read the same.
Decoded decode_before(std::string_view text, size_t end) noexcept {
  for (uint32_t length = 1; length <= 4 && length <= end; ++length) {
    const Decoded decoded = decode_utf8(text.substr(0, end), end - length);
    if (decoded.valid && decoded.length == length) return decoded;
  }
  return {kReplacement, 1, false};
}

}  // namespace

char32_t lower_sigma(std::string_view text, size_t at) noexcept {
  constexpr char32_t kFinal = 0x3C2;
  constexpr char32_t kSigma = 0x3C3;
  bool cased_before = false;
  for (size_t before = at; before > 0;) {
    const Decoded decoded = decode_before(text, before);
    before -= decoded.length;
    if (is_case_ignorable(decoded.code_point)) continue;
    cased_before = is_cased(decoded.code_point);
    break;
  }
  if (!cased_before) return kSigma;
  for (size_t after = at + kCapitalSigmaUtf8.size(); after < text.size();) {
    const Decoded decoded = decode_utf8(text, after);
    after += decoded.length;
    if (is_case_ignorable(decoded.code_point)) continue;
    return is_cased(decoded.code_point) ? kSigma : kFinal;
  }
  return kFinal;
}

}  // namespace neardup
