// Signatures of datasketch for many sets, on several threads.
#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "neardup/tools/datasketch_minhash.h"

namespace neardup {
namespace {

constexpr size_t kTokenBlock = 512;  // hashed at a time, on the stack
constexpr size_t kGrain = 4;         // sets that a thread takes at a time

// The 32-bit hashes of legacy are permuted as words of 64 bits.
template <typename Hash, typename Word, typename Permute>
void sketch_set(std::span<const std::string_view> tokens, const Permute& permute) {
  std::array<Hash, kTokenBlock> hashes;
  while (!tokens.empty()) {
    const auto block = tokens.first(std::min(tokens.size(), kTokenBlock));
    datasketch_hashes(block, std::span<Hash>(hashes.data(), block.size()));
    if constexpr (std::is_same_v<Hash, Word>) {
      permute(std::span<const Word>(hashes.data(), block.size()));
    } else {
      std::array<Word, kTokenBlock> words;
      std::copy_n(hashes.begin(), block.size(), words.begin());
      permute(std::span<const Word>(words.data(), block.size()));
    }
    tokens = tokens.subspan(block.size());
  }
}

template <typename Hash, typename Word, typename Permute>
void sketch_sets(const DatasketchSets& sets, std::span<Word> signatures, size_t lanes, uint32_t threads, const Permute& permute) {
  parallel_for(resolve_threads(threads), sets.ends.size(), kGrain, [&](uint32_t, size_t i) {
    const size_t begin = i == 0 ? 0 : sets.ends[i - 1];
    const std::span<Word> signature = signatures.subspan(i * lanes, lanes);
    sketch_set<Hash, Word>(sets.tokens.subspan(begin, sets.ends[i] - begin),
                           [&](std::span<const Word> hashes) { permute(hashes, signature); });
  });
}

}  // namespace

void datasketch_affine32(std::span<const uint32_t> a, std::span<const uint32_t> b, const DatasketchSets& sets,
                         std::span<uint32_t> signatures, uint32_t threads) {
  sketch_sets<uint32_t>(sets, signatures, a.size(), threads, [&](std::span<const uint32_t> hashes, std::span<uint32_t> signature) {
    datasketch_affine32(a, b, hashes, signature);
  });
}

void datasketch_affine64(std::span<const uint64_t> a, std::span<const uint64_t> b, const DatasketchSets& sets,
                         std::span<uint64_t> signatures, uint32_t threads) {
  sketch_sets<uint64_t>(sets, signatures, a.size(), threads, [&](std::span<const uint64_t> hashes, std::span<uint64_t> signature) {
    datasketch_affine64(a, b, hashes, signature);
  });
}

void datasketch_legacy(std::span<const uint64_t> a, std::span<const uint64_t> b, const DatasketchSets& sets, std::span<uint64_t> signatures,
                       uint32_t threads) {
  sketch_sets<uint32_t>(sets, signatures, a.size(), threads, [&](std::span<const uint64_t> hashes, std::span<uint64_t> signature) {
    datasketch_legacy(a, b, hashes, signature);
  });
}

}  // namespace neardup
