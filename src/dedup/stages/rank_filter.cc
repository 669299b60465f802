#include "neardup/tools/rank_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/byte_codec.h"
#include "base/hash.h"

namespace neardup {
namespace {

constexpr uint32_t kFilterVersion = 1;
constexpr uint32_t kBits = 8;      // of a rank; one in each word of its block
constexpr uint32_t kBitShift = 6;  // bits that choose one of a word

}  // namespace

uint64_t RankFilter::bytes_for(uint64_t ranks) noexcept {
  constexpr uint64_t kMost = uint64_t{64} << 20;
  return std::clamp(ranks >= kMost ? kMost : ranks + ranks / 2, kBlockBytes, kMost);
}

RankFilter::RankFilter(uint64_t bytes) {
  if (bytes == 0 || bytes > kMaxBytes)
    throw Error(ErrorCode::kUsage, fmt::format("a filter of {} bytes: expected 1 to {}", bytes, kMaxBytes));
  words_.resize((bytes + kBlockBytes - 1) / kBlockBytes * kBlockWords);
}

RankFilter RankFilter::load(std::string_view bytes) {
  ByteReader from(bytes, "a filter of ranks");
  const auto version = from.value<uint32_t>();
  if (version != kFilterVersion)
    throw Error(ErrorCode::kInput,
                fmt::format("a filter of ranks has format {}, and this version of neardup reads format {}", version, kFilterVersion));
  RankFilter filter(kBlockBytes);
  from.array(filter.words_);
  from.end();
  if (filter.words_.empty() || filter.words_.size() % kBlockWords != 0 || filter.words_.size() * sizeof(uint64_t) > kMaxBytes) from.fail();
  return filter;
}

std::string RankFilter::save() const {
  std::string bytes;
  ByteWriter to(bytes);
  to.value(kFilterVersion);
  to.array(words_);
  return bytes;
}

RankFilter::Place RankFilter::place(int64_t rank) const noexcept {
  __extension__ using Wide = unsigned __int128;
  const uint64_t hash = splitmix64(3, static_cast<uint64_t>(rank));
  const auto block = static_cast<size_t>((Wide{hash} * (words_.size() / kBlockWords)) >> 64);
  return {block * kBlockWords, splitmix64(4, hash)};
}

void RankFilter::add(int64_t rank) noexcept {
  const Place at = place(rank);
  for (uint32_t i = 0; i < kBits; ++i) words_[at.word + i] |= uint64_t{1} << (at.bits >> (i * kBitShift) & 63);
}

bool RankFilter::has(int64_t rank) const noexcept {
  const Place at = place(rank);
  for (uint32_t i = 0; i < kBits; ++i) {
    if ((words_[at.word + i] >> (at.bits >> (i * kBitShift) & 63) & 1) == 0) return false;
  }
  return true;
}

void RankFilter::merge(const RankFilter& other) {
  if (other.words_.size() != words_.size()) {
    throw Error(ErrorCode::kInput, fmt::format("filters of {} and of {} bytes cannot be merged", words_.size() * sizeof(uint64_t),
                                               other.words_.size() * sizeof(uint64_t)));
  }
  for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
}

}  // namespace neardup
