// chars_v1: every code point is a token, and the joined text is the text. A malformed subpart is one token of its own bytes.
#include <simdjson.h>

#include <cstring>

#include "kernels/kernels.h"
#include "text/tokens/tokenizers.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

class CharsTokenizer final : public Tokenizer {
 public:
  explicit CharsTokenizer(const kernels::Kernels& kernels) : kernels_(kernels) {}

  void tokenize(std::string_view text, TokenBuffer& out) const override {
    out.joined.reserve(text.size() + kernels::kShingleSlack);
    out.joined.assign(text.begin(), text.end());
    out.starts.resize(text.size() + kernels::kTextBlock);
    const size_t count =
        simdjson::validate_utf8(text) ? kernels_.code_point_starts(text.data(), text.size(), out.starts.data()) : decode(text, out);
    out.starts[count] = static_cast<uint32_t>(text.size());
    out.starts.resize(count + 1);
    out.separator_bytes = 0;
  }

 private:
  static size_t decode(std::string_view text, TokenBuffer& out) {
    size_t count = 0;
    for (size_t at = 0; at < text.size(); at += decode_utf8(text, at).length) out.starts[count++] = static_cast<uint32_t>(at);
    return count;
  }

  const kernels::Kernels& kernels_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_chars_tokenizer(const kernels::Kernels& kernels) {
  return std::make_unique<CharsTokenizer>(kernels);
}

}  // namespace neardup
