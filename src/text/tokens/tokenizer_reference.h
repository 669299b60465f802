// The slow twin of the tokenizers: the definitions of tokenizer.h, code point by code point, with ICU's properties and a push_back per
// token. The judge of the fast ones in tests and fuzzers.
#pragma once

#include <memory>

#include "text/tokens/tokenizer.h"

namespace neardup {

std::unique_ptr<const Tokenizer> make_reference_tokenizer(TokenizerKind kind);

}  // namespace neardup
