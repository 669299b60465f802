// The hash functions of datasketch: parts of SHA-1 digests. Short tokens are hashed many at once.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "kernels/kernels.h"
#include "kernels/sha1_rounds.h"
#include "neardup/tools/datasketch_minhash.h"

namespace neardup {
namespace {

using kernels::kSha1Bytes;
using kernels::kSha1Lanes;
constexpr size_t kBlockBytes = 64;

uint32_t big_endian(const unsigned char* bytes) noexcept {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

void add_block(const unsigned char* block, std::array<uint32_t, 5>& state) noexcept {
  uint32_t words[16];
  for (size_t i = 0; i < 16; ++i) words[i] = big_endian(block + 4 * i);
  std::array<uint32_t, 5> next = state;
  sha1_rounds<0>(next.data(), words);
  for (size_t i = 0; i < state.size(); ++i) state[i] += next[i];
}

uint64_t hash_one(std::string_view token) noexcept {
  std::array<uint32_t, 5> state;
  std::copy(std::begin(kSha1Start), std::end(kSha1Start), state.begin());
  const auto* const bytes = reinterpret_cast<const unsigned char*>(token.data());
  const size_t whole = token.size() / kBlockBytes * kBlockBytes;
  for (size_t at = 0; at < whole; at += kBlockBytes) add_block(bytes + at, state);

  // The rest, a byte 0x80, zeros, and the length in bits: one block or two.
  std::array<unsigned char, 2 * kBlockBytes> tail{};
  const size_t rest = token.size() - whole;
  if (rest != 0) std::memcpy(tail.data(), bytes + whole, rest);
  tail[rest] = 0x80;
  const size_t end = rest <= kSha1Bytes ? kBlockBytes : 2 * kBlockBytes;
  for (size_t i = 0; i < 8; ++i) tail[end - 1 - i] = static_cast<unsigned char>(uint64_t{token.size()} * 8 >> (8 * i));
  for (size_t at = 0; at < end; at += kBlockBytes) add_block(tail.data() + at, state);
  return uint64_t{__builtin_bswap32(state[1])} << 32 | __builtin_bswap32(state[0]);  // the digest's first 8 bytes, lowest byte first
}

// Collects short tokens until there are as many as the kernel hashes at once.
template <typename Hash>
class ShortTokens {
 public:
  explicit ShortTokens(std::span<Hash> hashes) noexcept : hashes_(hashes) {}

  void add(std::string_view token, size_t place) noexcept {
    tokens_[count_] = token.data();
    sizes_[count_] = static_cast<uint8_t>(token.size());
    places_[count_] = place;
    if (++count_ == kSha1Lanes) finish();
  }

  void finish() noexcept {
    if (count_ == 0) return;
    uint64_t numbers[kSha1Lanes];
    kernels::kernels().sha1_short(tokens_, sizes_, numbers);
    for (size_t i = 0; i < count_; ++i) hashes_[places_[i]] = static_cast<Hash>(numbers[i]);
    count_ = 0;
  }

 private:
  std::span<Hash> hashes_;
  size_t count_ = 0;
  // Unused lanes keep a token of before, or an empty one: the caller's tokens all live until the end.
  const char* tokens_[kSha1Lanes] = {};
  uint8_t sizes_[kSha1Lanes] = {};
  size_t places_[kSha1Lanes] = {};
};

template <typename Hash>
void hash_tokens(std::span<const std::string_view> tokens, std::span<Hash> hashes) noexcept {
  // A few tokens are faster one by one than a kernel's call that is mostly empty.
  constexpr size_t kFew = 3;
  if (tokens.size() <= kFew) {
    for (size_t i = 0; i < tokens.size(); ++i) hashes[i] = static_cast<Hash>(hash_one(tokens[i]));
    return;
  }
  ShortTokens<Hash> pending(hashes);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].size() <= kSha1Bytes)
      pending.add(tokens[i], i);
    else
      hashes[i] = static_cast<Hash>(hash_one(tokens[i]));
  }
  pending.finish();
}

}  // namespace

void datasketch_hashes(std::span<const std::string_view> tokens, std::span<uint32_t> hashes) noexcept {
  hash_tokens(tokens, hashes);
}

void datasketch_hashes(std::span<const std::string_view> tokens, std::span<uint64_t> hashes) noexcept {
  hash_tokens(tokens, hashes);
}

}  // namespace neardup
