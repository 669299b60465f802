// filter_tokens: stop words out, the others to their stems, in this order. The tokens are joined anew, so that shingles are runs of what
// is left.
#pragma once

#include "text/tokens/stemmer.h"
#include "text/tokens/stop_words.h"
#include "text/tokens/token_buffer.h"

namespace neardup {

/// Replaces `out`, which must not be `tokens`. Null is a step left out; `scratch` is that of the stemmer, or null without one.
void filter_tokens(const TokenBuffer& tokens, const StopWords* stop_words, const Stemmer* stemmer, Stemmer::Scratch* scratch,
                   TokenBuffer& out);

}  // namespace neardup
