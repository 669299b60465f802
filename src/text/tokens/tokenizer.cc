#include "text/tokens/tokenizers.h"

namespace neardup {

std::unique_ptr<const Tokenizer> make_tokenizer(TokenizerKind kind) {
  const kernels::Kernels& kernels = kernels::kernels();
  return kind == TokenizerKind::kWords ? make_words_tokenizer(kernels) : make_chars_tokenizer(kernels);
}

}  // namespace neardup
