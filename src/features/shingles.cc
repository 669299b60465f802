#include "features/shingles.h"

#include <algorithm>

#include "base/hash.h"

namespace neardup {
namespace {

// Hashes the groups that a kernel supports, and one by one the others, such as a change from ASCII to ideographs or a very long word.
template <typename Group>
void hash_groups(TokenBuffer& tokens, uint32_t size, const Group& hash_group, RawVector<uint64_t>& out) {
  const size_t bytes = tokens.joined.size();
  tokens.joined.resize(bytes + kernels::kShingleSlack);
  const char* const joined = tokens.joined.data();
  const uint32_t* const starts = tokens.starts.data();
  for (size_t i = 0; i < out.size();) {
    i += hash_group(joined, starts + i, out.size() - i, out.data() + i);
    const size_t end = std::min(i + kernels::kShingleGroup, out.size());
    for (; i < end; ++i) out[i] = XXH3_64bits(joined + starts[i], starts[i + size] - tokens.separator_bytes - starts[i]);
  }
  tokens.joined.resize(bytes);
}

}  // namespace

void hash_shingles(TokenBuffer& tokens, uint32_t size, ShortText short_text, RawVector<uint64_t>& out) {
  hash_shingles(kernels::kernels(), tokens, size, short_text, out);
}

void hash_shingles(const kernels::Kernels& kernels, TokenBuffer& tokens, uint32_t size, ShortText short_text, RawVector<uint64_t>& out) {
  const size_t count = tokens.size();
  if (count < size) {
    out.clear();
    if (short_text == ShortText::kWhole && count > 0) out.push_back(hash64(view_of(tokens.joined)));
    return;
  }
  out.resize(count - size + 1);
  if (tokens.separator_bytes == 0 && kernels.hash_short_shingles != nullptr) {
    return hash_groups(
        tokens, size,
        [&](const char* joined, const uint32_t* starts, size_t left, uint64_t* to) {
          return kernels.hash_short_shingles(joined, starts, left, size, to);
        },
        out);
  }
  if (tokens.separator_bytes != 0 && kernels.hash_word_shingles != nullptr) {
    return hash_groups(
        tokens, size,
        [&](const char* joined, const uint32_t* starts, size_t left, uint64_t* to) {
          return kernels.hash_word_shingles(joined, starts, left, size, tokens.separator_bytes, to);
        },
        out);
  }
  const char* const joined = tokens.joined.data();
  const uint32_t* const starts = tokens.starts.data();
  const uint32_t* const ends = starts + size;
  const uint32_t separator = tokens.separator_bytes;
  for (size_t i = 0; i < out.size(); ++i) out[i] = XXH3_64bits(joined + starts[i], ends[i] - separator - starts[i]);
}

void hash_tokens(const TokenBuffer& tokens, RawVector<uint64_t>& out) {
  out.resize(tokens.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = hash64(tokens.token(i));
}

}  // namespace neardup
