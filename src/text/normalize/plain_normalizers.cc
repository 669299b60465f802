#include "text/normalize/plain_normalizers.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

#include "text/normalize/final_sigma.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

class NoneNormalizer final : public Normalizer {
 public:
  void normalize(std::string_view text, RawVector<char>& out, std::string& piece) const override {
    if (is_valid_utf8(text)) {
      out.assign(text.begin(), text.end());
      return;
    }
    repair_utf8(text, piece);
    out.assign(piece.begin(), piece.end());
  }
};

// Code points one by one: the default lower-case mapping of a code point is that of Unicode's simple mapping, but for U+0130, which
// becomes two, and capital sigma, which depends on its neighbours.
class LowerCompactNormalizer final : public Normalizer {
 public:
  explicit LowerCompactNormalizer(const kernels::Kernels& kernels) : kernels_(kernels) {}

  void normalize(std::string_view text, RawVector<char>& out, std::string& piece) const override {
    out.resize(3 * text.size() + kernels::kTextBlock);  // a malformed byte becomes three, and no mapping is longer than that
    char* to = out.data();
    size_t at = 0;
    while (at < text.size()) {
      size_t end = text.size();
      if (kernels_.lower_compact != nullptr) {
        const kernels::Folded done = kernels_.lower_compact(text.data() + at, text.size() - at, to);
        at += done.read;
        to += done.written;
        end = std::min(end, at + kApart);  // another such code point is likely to be near
      }
      one_by_one(text, at, end, to, piece);
    }
    out.resize(static_cast<size_t>(to - out.data()));
  }

 private:
  static constexpr size_t kApart = 8;
  static constexpr char32_t kCapitalDottedI = 0x130;

  // From text[at] on, up to `end` or a few bytes more.
  static void one_by_one(std::string_view text, size_t& at, size_t end, char*& to, std::string& piece) {
    while (at < end) {
      const auto byte = static_cast<uint8_t>(text[at]);
      if (byte < 0x80) {
        *to = static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
        to += is_ascii_white_space(byte) ? 0 : 1;
        ++at;
        continue;
      }
      if (text.size() - at >= 4) {
        const uint32_t four = load_four(text.data() + at);
        const char32_t c = value_of_three(four);
        if (looks_like_three(four) && has_no_case(c)) {
          store_four(four, to);  // the next code point overwrites the fourth byte
          to += 3;
          at += 3;
          continue;
        }
      }
      const Decoded decoded = decode_quickly(text, at);
      const size_t begin = std::exchange(at, at + decoded.length);
      if (is_white_space(decoded.code_point)) continue;
      piece.clear();
      if (decoded.code_point == kCapitalSigma) {
        append_utf8(lower_sigma(text, begin), piece);
      } else if (decoded.code_point == kCapitalDottedI) {
        piece = "i\xCC\x87";  // and U+0307
      } else {
        append_utf8(static_cast<char32_t>(u_tolower(static_cast<UChar32>(decoded.code_point))), piece);
      }
      to = std::copy(piece.begin(), piece.end(), to);
    }
  }
  // Of the three-byte ones: CJK without the ideographic space, and hangul.
  static bool has_no_case(char32_t c) { return (c > 0x3000 && c < 0xA000) || (c >= 0xAC00 && c < 0xD7A4); }

  const kernels::Kernels& kernels_;
};

}  // namespace

std::unique_ptr<const Normalizer> make_none_normalizer() {
  return std::make_unique<NoneNormalizer>();
}

std::unique_ptr<const Normalizer> make_lower_compact_normalizer(const kernels::Kernels& kernels) {
  return std::make_unique<LowerCompactNormalizer>(kernels);
}

}  // namespace neardup
