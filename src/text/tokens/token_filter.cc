#include "text/tokens/token_filter.h"

namespace neardup {

void filter_tokens(const TokenBuffer& tokens, const StopWords* stop_words, const Stemmer* stemmer, Stemmer::Scratch* scratch,
                   TokenBuffer& out) {
  out.clear(tokens.separator_bytes);
  for (size_t i = 0; i < tokens.size(); ++i) {
    std::string_view token = tokens.token(i);
    if (stop_words != nullptr && stop_words->contains(token)) continue;
    if (stemmer != nullptr) token = stemmer->stem(token, *scratch);
    out.append(token);
  }
}

}  // namespace neardup
