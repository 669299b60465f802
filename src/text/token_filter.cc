#include "text/token_filter.h"

namespace neardup {

void filter_tokens(const TokenBuffer& tokens, std::string_view separator, const StopWords* stop_words, const Stemmer* stemmer,
                   Stemmer::Scratch* scratch, TokenBuffer& out) {
  out.joined.clear();
  out.starts.clear();
  out.ends.clear();
  for (size_t i = 0; i < tokens.size(); ++i) {
    std::string_view token = std::string_view(tokens.joined).substr(tokens.starts[i], tokens.ends[i] - tokens.starts[i]);
    if (stop_words != nullptr && stop_words->contains(token)) continue;
    if (stemmer != nullptr) token = stemmer->stem(token, *scratch);
    if (!out.starts.empty()) out.joined.append(separator);
    out.starts.push_back(static_cast<uint32_t>(out.joined.size()));
    out.joined.append(token);
    out.ends.push_back(static_cast<uint32_t>(out.joined.size()));
  }
}

}  // namespace neardup
