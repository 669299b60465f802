#include "features/shingles.h"

#include "base/hash.h"

namespace neardup {

void hash_shingles(const TokenBuffer& tokens, uint32_t size, ShortText short_text, std::vector<uint64_t>& out) {
  const size_t count = tokens.size();
  if (count < size) {
    out.clear();
    if (short_text == ShortText::kWhole && count > 0) out.push_back(hash64(tokens.joined));
    return;
  }
  const char* joined = tokens.joined.data();
  const uint32_t* starts = tokens.starts.data();
  const uint32_t* ends = tokens.ends.data() + (size - 1);
  out.resize(count - size + 1);
  for (size_t i = 0; i < out.size(); ++i) out[i] = XXH3_64bits(joined + starts[i], ends[i] - starts[i]);
}

}  // namespace neardup
