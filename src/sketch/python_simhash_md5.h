// MD5 (RFC 1321) as python_simhash_v1 uses it: digests read as numbers, highest byte first, and counted bit by bit.
//
// Not for security. Short messages are hashed many at a time by a kernel. noexcept, no allocation.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/kernels.h"
#include "neardup/fingerprint.h"
#include "sketch/simhash.h"

namespace neardup {

/// The digest of any message.
Fingerprint128 md5_number(std::string_view message) noexcept;

/// Counts the bits of the digests of messages. One per thread; about 6 KB, made for the stack.
class Md5Counts {
 public:
  static constexpr uint32_t kShortBytes = 16;

  void add(std::string_view message) noexcept;
  /// A message of `length` <= kShortBytes bytes: byte i is bits 8 i of low:high, the bits beyond the message are 0.
  void add_short(uint64_t low, uint64_t high, uint32_t length) noexcept;
  /// The bits that more than half of the digests have.
  Fingerprint128 majority() noexcept;

 private:
  static constexpr size_t kDigests = 256;

  void hash_pending() noexcept;
  void count(Fingerprint128 digest) noexcept;
  void count_digests() noexcept;

  size_t pending_ = 0;  // short messages, < kMd5Lanes
  size_t digests_ = 0;  // < kDigests
  std::array<uint32_t, 6 * kernels::kMd5Lanes> words_{};
  std::array<uint64_t, kDigests> low_;
  std::array<uint64_t, kDigests> high_;
  BitCounts low_counts_;
  BitCounts high_counts_;
};

inline void Md5Counts::add_short(uint64_t low, uint64_t high, uint32_t length) noexcept {
  uint32_t* const words = words_.data() + pending_;
  constexpr size_t kPlane = kernels::kMd5Lanes;
  const uint64_t padding = uint64_t{0x80} << (8 * (length % 8));
  low |= length < 8 ? padding : 0;
  high |= length >= 8 && length < 16 ? padding : 0;
  words[0 * kPlane] = static_cast<uint32_t>(low);
  words[1 * kPlane] = static_cast<uint32_t>(low >> 32);
  words[2 * kPlane] = static_cast<uint32_t>(high);
  words[3 * kPlane] = static_cast<uint32_t>(high >> 32);
  words[4 * kPlane] = length == 16 ? 0x80 : 0;
  words[5 * kPlane] = length * 8;
  if (++pending_ == kPlane) hash_pending();
}

}  // namespace neardup
