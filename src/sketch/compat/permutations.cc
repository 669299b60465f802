// The permutations of datasketch, in blocks of lanes.
#include <algorithm>
#include <array>

#include "kernels/kernels.h"
#include "neardup/tools/datasketch_minhash.h"

namespace neardup {
namespace {

using kernels::kLaneBlock;
constexpr size_t kHashBlock = 512;  // mixed at a time, on the stack

uint32_t finalize(uint32_t h) noexcept {
  h = (h ^ (h >> 16)) * 0x85EBCA6B;
  h = (h ^ (h >> 13)) * 0xC2B2AE35;
  return h ^ (h >> 16);
}

uint64_t finalize(uint64_t h) noexcept {
  h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCD;
  h = (h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53;
  return h ^ (h >> 33);
}

template <typename Word>
using Kernel = void (*)(const Word* a, const Word* b, const Word* hashes, size_t count, Word* minima, size_t lanes);

template <typename Word>
struct Lanes {
  std::span<const Word> a;
  std::span<const Word> b;
  std::span<Word> signature;
};

// The lanes after the last whole block go through a padded copy, so that callers need not pad.
template <typename Word>
void permute(Kernel<Word> kernel, const Lanes<Word>& lanes, std::span<const Word> hashes) noexcept {
  const size_t whole = lanes.signature.size() / kLaneBlock * kLaneBlock;
  if (whole != 0) kernel(lanes.a.data(), lanes.b.data(), hashes.data(), hashes.size(), lanes.signature.data(), whole);
  if (whole == lanes.signature.size()) return;
  std::array<Word, kLaneBlock> a{};
  std::array<Word, kLaneBlock> b{};
  std::array<Word, kLaneBlock> minima{};
  std::copy(lanes.a.begin() + whole, lanes.a.end(), a.begin());
  std::copy(lanes.b.begin() + whole, lanes.b.end(), b.begin());
  std::copy(lanes.signature.begin() + whole, lanes.signature.end(), minima.begin());
  kernel(a.data(), b.data(), hashes.data(), hashes.size(), minima.data(), kLaneBlock);
  std::copy_n(minima.begin(), lanes.signature.size() - whole, lanes.signature.begin() + whole);
}

template <typename Word>
void mix_and_permute(Kernel<Word> kernel, const Lanes<Word>& lanes, std::span<const Word> hashes) noexcept {
  std::array<Word, kHashBlock> mixed;
  while (!hashes.empty()) {
    const auto block = hashes.first(std::min(hashes.size(), kHashBlock));
    std::transform(block.begin(), block.end(), mixed.begin(), [](Word h) { return finalize(h); });
    permute<Word>(kernel, lanes, {mixed.data(), block.size()});
    hashes = hashes.subspan(block.size());
  }
}

}  // namespace

void datasketch_affine32(std::span<const uint32_t> a, std::span<const uint32_t> b, std::span<const uint32_t> hashes,
                         std::span<uint32_t> signature) noexcept {
  mix_and_permute<uint32_t>(kernels::kernels().affine32, {a, b, signature}, hashes);
}

void datasketch_affine64(std::span<const uint64_t> a, std::span<const uint64_t> b, std::span<const uint64_t> hashes,
                         std::span<uint64_t> signature) noexcept {
  mix_and_permute<uint64_t>(kernels::kernels().affine64, {a, b, signature}, hashes);
}

void datasketch_legacy(std::span<const uint64_t> a, std::span<const uint64_t> b, std::span<const uint64_t> hashes,
                       std::span<uint64_t> signature) noexcept {
  permute<uint64_t>(kernels::kernels().mersenne, {a, b, signature}, hashes);
}

}  // namespace neardup
