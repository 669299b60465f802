// Shingles: runs of n consecutive tokens, hashed.
//
// The feature of a shingle is XXH3-64 (seed 0) of the bytes of TokenBuffer::joined from the start of its first token to the end of
// its last. Tokens are joined, so equal token runs give equal bytes whatever stood between them in the text.
#pragma once

#include <cstdint>

#include "base/raw_vector.h"
#include "kernels/kernels.h"
#include "neardup/tools/recipe_kinds.h"
#include "text/tokens/token_buffer.h"

namespace neardup {

/// Replaces `out` by the hashes of all shingles, in text order, with repetitions. Fewer tokens than `size`: none, or one shingle of
/// all tokens (ShortText::kWhole); no tokens: none. `tokens` may move in memory, but does not change.
void hash_shingles(TokenBuffer& tokens, uint32_t size, ShortText short_text, RawVector<uint64_t>& out);

/// The same with kernels of the caller's choice, for tests.
void hash_shingles(const kernels::Kernels& kernels, TokenBuffer& tokens, uint32_t size, ShortText short_text, RawVector<uint64_t>& out);

/// Replaces `out` by the hashes of the tokens themselves.
void hash_tokens(const TokenBuffer& tokens, RawVector<uint64_t>& out);

}  // namespace neardup
