#include "datasketch/signature.h"

#include <algorithm>
#include <array>

namespace neardup::python {
namespace {

constexpr size_t kBlock = 512;  // hashes at a time, on the stack

using Narrow = std::vector<uint32_t>;
using Wide = std::vector<uint64_t>;

void permute(const Permutations& permutations, std::span<const uint32_t> hashes, Words& signature) {
  datasketch_affine32(std::get<Narrow>(permutations.a), std::get<Narrow>(permutations.b), hashes, std::get<Narrow>(signature));
}

void permute(const Permutations& permutations, std::span<const uint64_t> hashes, Words& signature) {
  const Wide& a = std::get<Wide>(permutations.a);
  const Wide& b = std::get<Wide>(permutations.b);
  if (permutations.scheme == Scheme::kAffine64)
    datasketch_affine64(a, b, hashes, std::get<Wide>(signature));
  else
    datasketch_legacy(a, b, hashes, std::get<Wide>(signature));
}

// Hashes tokens to Hash, and permutes them as Word.
template <typename Hash, typename Word>
void apply_blocks(const Permutations& permutations, std::span<const std::string_view> tokens, Words& signature) {
  std::array<Hash, kBlock> hashes;
  std::array<Word, kBlock> words;
  while (!tokens.empty()) {
    const auto block = tokens.first(std::min(tokens.size(), kBlock));
    datasketch_hashes(block, std::span<Hash>(hashes.data(), block.size()));
    std::copy_n(hashes.begin(), block.size(), words.begin());
    permute(permutations, std::span<const Word>(words.data(), block.size()), signature);
    tokens = tokens.subspan(block.size());
  }
}

}  // namespace

Words empty_signature(Scheme scheme, size_t size) {
  if (scheme == Scheme::kAffine32) return Narrow(size, ~uint32_t{0});
  return Wide(size, scheme == Scheme::kAffine64 ? ~uint64_t{0} : uint64_t{~uint32_t{0}});
}

size_t size_of(const Words& words) noexcept {
  return std::visit([](const auto& all) { return all.size(); }, words);
}

std::string_view bytes_of(const Words& words) noexcept {
  return std::visit([](const auto& all) { return std::string_view(reinterpret_cast<const char*>(all.data()), all.size() * sizeof all[0]); },
                    words);
}

void Permutations::apply(std::span<const uint64_t> hashes, Words& signature) const {
  if (scheme != Scheme::kAffine32) {
    permute(*this, hashes, signature);
    return;
  }
  Narrow narrow(hashes.size());
  std::transform(hashes.begin(), hashes.end(), narrow.begin(), [](uint64_t hash) { return static_cast<uint32_t>(hash); });
  permute(*this, narrow, signature);
}

void Permutations::apply(TokenHash hash, std::span<const std::string_view> tokens, Words& signature) const {
  if (scheme == Scheme::kAffine32)
    apply_blocks<uint32_t, uint32_t>(*this, tokens, signature);
  else if (hash == TokenHash::kSha1Of32Bits)
    apply_blocks<uint32_t, uint64_t>(*this, tokens, signature);
  else
    apply_blocks<uint64_t, uint64_t>(*this, tokens, signature);
}

Words Permutations::apply(const DatasketchSets& sets) const {
  Words signatures = empty_signature(scheme, sets.ends.size() * size_of(a));
  constexpr uint32_t kAllCores = 0;
  if (scheme == Scheme::kAffine32) {
    datasketch_affine32(std::get<Narrow>(a), std::get<Narrow>(b), sets, std::get<Narrow>(signatures), kAllCores);
  } else if (scheme == Scheme::kAffine64) {
    datasketch_affine64(std::get<Wide>(a), std::get<Wide>(b), sets, std::get<Wide>(signatures), kAllCores);
  } else {
    datasketch_legacy(std::get<Wide>(a), std::get<Wide>(b), sets, std::get<Wide>(signatures), kAllCores);
  }
  return signatures;
}

}  // namespace neardup::python
