// The slow twin of code_v1: its rules as docs/recipe.md states them, over an array of code points. The judge of the fast one in tests and
// fuzzers; it may look at a text many times.
#pragma once

#include <memory>

#include "text/tokens/tokenizer.h"

namespace neardup {

std::unique_ptr<const Tokenizer> make_reference_code_tokenizer(const CodeTokens& tokens);

}  // namespace neardup
