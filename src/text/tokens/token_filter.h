// filter_tokens: drops stop words, then stems the other tokens. The tokens are joined again, so that shingles are runs of the remaining
// ones.
#pragma once

#include "text/tokens/stemmer.h"
#include "text/tokens/stop_words.h"
#include "text/tokens/token_buffer.h"

namespace neardup {

/// Replaces `out`, which must not be `tokens`. Null skips a step; `scratch` is that of the stemmer, or null without one.
void filter_tokens(const TokenBuffer& tokens, const StopWords* stop_words, const Stemmer* stemmer, Stemmer::Scratch* scratch,
                   TokenBuffer& out);

}  // namespace neardup
