// Tokenizer: normalized text in, tokens out, joined by the tokenizer's separator so that a shingle is one run of bytes.
//
// words_v1 (separator: one blank): a token is a maximal run of letters (general category L), marks (M) and digits (Nd); every
// ideograph, kana and hangul syllable is a token of its own (docs/recipe.md lists the ranges), and the marks that follow it
// belong to it. All else separates. chars_v1 (no separator): every code point is a token, white space included.
//
// Immutable, shared by threads; total: malformed UTF-8 cannot occur after a Normalizer, and would read as U+FFFD.
#pragma once

#include <memory>
#include <string_view>

#include "kernels/kernels.h"
#include "neardup/tools/recipe_kinds.h"
#include "text/tokens/token_buffer.h"

namespace neardup {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  /// Replaces `out`. Texts are shorter than 2^32 bytes (limits are checked where texts enter).
  virtual void tokenize(std::string_view normalized, TokenBuffer& out) const = 0;
};

/// For the kinds kWords and kChars; the others are in code_tokenizer.h and JiebaSegmenter's. The slow twin is in tokenizer_reference.h.
std::unique_ptr<const Tokenizer> make_tokenizer(TokenizerKind kind);
/// The same with kernels of the caller's choice, for tests.
std::unique_ptr<const Tokenizer> make_tokenizer(TokenizerKind kind, const kernels::Kernels& kernels);

}  // namespace neardup
