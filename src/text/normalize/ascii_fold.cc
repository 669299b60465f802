#include "text/normalize/ascii_fold.h"

#include "text/utf8/code_points.h"

namespace neardup {

size_t fold_ascii(const kernels::Kernels& kernels, std::string_view text, size_t at, GrowingText& out) {
  const kernels::Folded folded = kernels.fold_ascii(text.data() + at, text.size() - at, out.tail(), out.ends_blank());
  out.advance(folded.written);
  return at + folded.read;
}

size_t fold_short_ascii(std::string_view text, size_t at, GrowingText& out) {
  char* to = out.tail();
  const size_t begin = at;
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<uint8_t>(text[at]);
    if (byte >= 0x80 || is_ascii_white_space(byte)) break;
    const bool upper = byte >= 'A' && byte <= 'Z';
    *to++ = static_cast<char>(upper ? byte + 32 : byte);
  }
  out.advance(at - begin);
  return at;
}

}  // namespace neardup
