// The tokenizers, one file each; make_tokenizer chooses, with the kernels in use. Tests give others.
#pragma once

#include <memory>

#include "kernels/kernels.h"
#include "text/tokens/tokenizer.h"

namespace neardup {

std::unique_ptr<const Tokenizer> make_words_tokenizer(const kernels::Kernels& kernels);
std::unique_ptr<const Tokenizer> make_chars_tokenizer(const kernels::Kernels& kernels);

}  // namespace neardup
