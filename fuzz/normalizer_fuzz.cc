// Any bytes through the normalizers and tokenizers: the fast ones give what their slow twins give.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_support.h"
#include "text/normalize/normalizer.h"
#include "text/normalize/normalizer_reference.h"
#include "text/tokens/code_tokenizer.h"
#include "text/tokens/code_tokenizer_reference.h"
#include "text/tokens/tokenizer.h"
#include "text/tokens/tokenizer_reference.h"
#include "text/utf8/utf8.h"

namespace {

using neardup::fuzz::require;
void tokenize_both(std::string_view text) {
  using neardup::TokenizerKind;
  for (const TokenizerKind kind : {TokenizerKind::kWords, TokenizerKind::kChars}) {
    neardup::TokenBuffer fast;
    neardup::TokenBuffer slow;
    neardup::make_tokenizer(kind)->tokenize(text, fast);
    neardup::make_reference_tokenizer(kind)->tokenize(text, slow);
    require(fast.joined == slow.joined && fast.starts == slow.starts);
  }
  for (int choice = 0; choice < 4; ++choice) {
    const bool normalized = (choice & 2) != 0;
    const neardup::CodeTokens wanted{.keep_comments = (choice & 1) != 0,
                                     .normalize_identifiers = normalized,
                                     .normalize_numbers = normalized,
                                     .normalize_strings = normalized};
    neardup::TokenBuffer fast;
    neardup::TokenBuffer slow;
    neardup::make_code_tokenizer(wanted)->tokenize(text, fast);
    neardup::make_reference_code_tokenizer(wanted)->tokenize(text, slow);
    require(fast.joined == slow.joined && fast.starts == slow.starts);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using neardup::NormalizerKind;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const NormalizerKind kind : {NormalizerKind::kCasefold, NormalizerKind::kLower}) {
    neardup::RawVector<char> fast;
    neardup::RawVector<char> slow;
    std::string piece;
    neardup::make_normalizer(kind)->normalize(text, fast, piece);
    neardup::make_reference_normalizer(kind)->normalize(text, slow, piece);
    require(fast == slow);
    require(neardup::is_valid_utf8(neardup::view_of(fast)));
    tokenize_both(neardup::view_of(fast));
  }
  tokenize_both(text);
  return 0;
}
