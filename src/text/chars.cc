// chars_v1: every code point is a token, and the joined text is the text. A malformed subpart is one token of its own bytes.
#include <cstring>

#include "text/tokenizers.h"
#include "text/utf8.h"

namespace neardup {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080u;
constexpr uint64_t kLowBits = 0x0101010101010101u;
constexpr size_t kStep = 16;

uint64_t load(const char* from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof(word));
  return word;
}

// The bytes that are not continuation bytes: the number of code points of well-formed text.
size_t count_leads(std::string_view text) {
  size_t continuations = 0;
  size_t at = 0;
  for (; text.size() - at >= 8; at += 8) {
    const uint64_t word = load(text.data() + at);
    continuations += ((word >> 7 & ~word >> 6 & kLowBits) * kLowBits) >> 56;
  }
  for (; at < text.size(); ++at) continuations += (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80;
  return text.size() - continuations;
}

uint32_t length_at(std::string_view text, size_t at) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(text.data() + at);
  if (bytes[0] < 0x80) return 1;
  const bool common = bytes[0] > 0xE0 && bytes[0] < 0xED && text.size() - at >= 3;
  if (common && (bytes[1] & 0xC0) == 0x80 && (bytes[2] & 0xC0) == 0x80) return 3;
  return decode_utf8(text, at).length;
}

class CharsTokenizer final : public Tokenizer {
 public:
  void tokenize(std::string_view text, TokenBuffer& out) const override {
    out.joined.assign(text);
    size_t room = count_leads(text);
    out.starts.resize(room);
    out.ends.resize(room);
    size_t count = 0;
    for (size_t at = 0; at < text.size();) {
      if (text.size() - at >= kStep && room - count >= kStep && is_ascii(text.data() + at)) {
        uint32_t* const starts = out.starts.data() + count;
        uint32_t* const ends = out.ends.data() + count;
        const auto first = static_cast<uint32_t>(at);
        for (uint32_t i = 0; i < kStep; ++i) starts[i] = first + i;
        for (uint32_t i = 0; i < kStep; ++i) ends[i] = first + i + 1;
        at += kStep;
        count += kStep;
        continue;
      }
      if (count == room) {  // only malformed text has more tokens than lead bytes
        room += text.size() - at;
        out.starts.resize(room);
        out.ends.resize(room);
      }
      out.starts[count] = static_cast<uint32_t>(at);
      at += length_at(text, at);
      out.ends[count] = static_cast<uint32_t>(at);
      ++count;
    }
    out.starts.resize(count);
    out.ends.resize(count);
  }

 private:
  static bool is_ascii(const char* from) { return ((load(from) | load(from + 8)) & kHighBits) == 0; }
};

}  // namespace

std::unique_ptr<const Tokenizer> make_chars_tokenizer() {
  return std::make_unique<CharsTokenizer>();
}

}  // namespace neardup
