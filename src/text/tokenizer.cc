#include "text/tokenizers.h"

namespace neardup {

std::unique_ptr<const Tokenizer> make_tokenizer(TokenizerKind kind) {
  return kind == TokenizerKind::kWords ? make_words_tokenizer(kernels::kernels()) : make_chars_tokenizer();
}

}  // namespace neardup
