#include "text/tokens/tokenizer_reference.h"

#include <unicode/uchar.h>

#include <string>

#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

class ReferenceWords final : public Tokenizer {
 public:
  void tokenize(std::string_view normalized, TokenBuffer& out) const override {
    out.clear(1);
    std::string token;
    bool single = false;  // the token began with a code point that stands alone: only marks may follow
    const auto finish = [&] {
      if (!token.empty()) out.append(token);
      token.clear();
      single = false;
    };
    for (size_t at = 0; at < normalized.size();) {
      const Decoded decoded = decode_utf8(normalized, at);
      at += decoded.length;
      const char32_t c = decoded.code_point;
      const auto category = U_GET_GC_MASK(static_cast<UChar32>(c));
      const bool kana_sign = c == 0x30FC || c == 0xFF70 || c == 0xFF9E || c == 0xFF9F;
      if (is_single_token(c)) {
        finish();
        append_utf8(c, token);
        single = true;
      } else if ((category & U_GC_M_MASK) != 0 || kana_sign) {
        append_utf8(c, token);
      } else if ((category & (U_GC_L_MASK | U_GC_ND_MASK)) != 0) {
        if (single) finish();
        append_utf8(c, token);
      } else {
        finish();
      }
    }
    finish();
  }
};

class ReferenceChars final : public Tokenizer {
 public:
  void tokenize(std::string_view normalized, TokenBuffer& out) const override {
    out.clear(0);
    for (size_t at = 0; at < normalized.size();) {
      const uint32_t length = decode_utf8(normalized, at).length;
      out.append(normalized.substr(at, length));
      at += length;
    }
  }
};

}  // namespace

std::unique_ptr<const Tokenizer> make_reference_tokenizer(TokenizerKind kind) {
  if (kind == TokenizerKind::kWords) return std::make_unique<ReferenceWords>();
  return std::make_unique<ReferenceChars>();
}

}  // namespace neardup
