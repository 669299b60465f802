#include "sketch/python_simhash_md5.h"

#include <cstring>

#include "kernels/md5_rounds.h"

namespace neardup {
namespace {

constexpr size_t kBlockBytes = 64;
using State = std::array<uint32_t, 4>;

uint32_t little_endian(const uint8_t* bytes) noexcept {
  return bytes[0] | uint32_t{bytes[1]} << 8 | uint32_t{bytes[2]} << 16 | uint32_t{bytes[3]} << 24;
}

uint32_t byte_swapped(uint32_t word) noexcept {
  return word >> 24 | (word >> 8 & 0xFF00) | (word << 8 & 0xFF0000) | word << 24;
}

Fingerprint128 number_of(uint32_t a, uint32_t b, uint32_t c, uint32_t d) noexcept {
  return {uint64_t{byte_swapped(a)} << 32 | byte_swapped(b), uint64_t{byte_swapped(c)} << 32 | byte_swapped(d)};
}

struct Block {
  std::array<uint32_t, 16> words;

  template <size_t kWord>
  [[nodiscard]] uint32_t at(size_t, uint32_t sine) const noexcept {
    return words[kWord] + sine;
  }
};

void add_block(const uint8_t* bytes, State& state) noexcept {
  Block block;
  for (size_t i = 0; i < 16; ++i) block.words[i] = little_endian(bytes + 4 * i);
  uint32_t next[1][4] = {{state[0], state[1], state[2], state[3]}};
  md5_steps<0, 1>(next, block);
  for (size_t i = 0; i < 4; ++i) state[i] += next[0][i];
}

}  // namespace

Fingerprint128 md5_number(std::string_view message) noexcept {
  State state = {kMd5Begin[0], kMd5Begin[1], kMd5Begin[2], kMd5Begin[3]};
  const auto* const bytes = reinterpret_cast<const uint8_t*>(message.data());
  const size_t whole = message.size() / kBlockBytes * kBlockBytes;
  for (size_t at = 0; at < whole; at += kBlockBytes) add_block(bytes + at, state);

  uint8_t tail[2 * kBlockBytes] = {};
  const size_t rest = message.size() - whole;
  if (rest > 0) std::memcpy(tail, bytes + whole, rest);
  tail[rest] = 0x80;
  const size_t end = rest < kBlockBytes - 8 ? kBlockBytes : 2 * kBlockBytes;
  for (size_t i = 0; i < 8; ++i) tail[end - 8 + i] = static_cast<uint8_t>(uint64_t{message.size()} * 8 >> (8 * i));
  for (size_t at = 0; at < end; at += kBlockBytes) add_block(tail + at, state);
  return number_of(state[0], state[1], state[2], state[3]);
}

void Md5Counts::add(std::string_view message) noexcept {
  if (message.size() > kShortBytes) {
    count(md5_number(message));
    return;
  }
  uint64_t halves[2] = {};
  for (size_t i = 0; i < message.size(); ++i) halves[i / 8] |= uint64_t{static_cast<uint8_t>(message[i])} << (8 * (i % 8));
  add_short(halves[0], halves[1], static_cast<uint32_t>(message.size()));
}

Fingerprint128 Md5Counts::majority() noexcept {
  hash_pending();
  count_digests();
  return {high_counts_.majority().more, low_counts_.majority().more};
}

void Md5Counts::hash_pending() noexcept {
  if (pending_ == 0) return;
  constexpr size_t kPlane = kernels::kMd5Lanes;
  uint32_t digests[4 * kPlane];
  kernels::kernels().md5_short(words_.data(), digests);
  for (size_t i = 0; i < pending_; ++i) {
    count(number_of(digests[i], digests[kPlane + i], digests[2 * kPlane + i], digests[3 * kPlane + i]));
  }
  pending_ = 0;
}

void Md5Counts::count(Fingerprint128 digest) noexcept {
  low_[digests_] = digest.low;
  high_[digests_] = digest.high;
  if (++digests_ == kDigests) count_digests();
}

void Md5Counts::count_digests() noexcept {
  low_counts_.add({low_.data(), digests_});
  high_counts_.add({high_.data(), digests_});
  digests_ = 0;
}

}  // namespace neardup
