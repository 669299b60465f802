// The MinHash of the Python package datasketch, bit for bit: its hash functions of tokens and its permutations. For data that has such
// signatures; anything new is better off with neardup's own (neardup/sketcher.h).
//
//   std::vector<uint32_t> hashes(tokens.size()), signature(128, ~uint32_t{0});
//   neardup::datasketch_hashes(tokens, hashes);
//   neardup::datasketch_affine32(a, b, hashes, signature);
//
// The schemes of datasketch 2.0.0, for a hash h of a token and the parameters a and b of a permutation:
//   affine32  a fmix32(h) + b  modulo 2^32, fmix being the finalizer of MurmurHash3 and a being odd
//   affine64  a fmix64(h) + b  modulo 2^64
//   legacy    the low 32 bits of (a h + b modulo 2^64) modulo 2^61 - 1; the only scheme before 2.0.0
// A signature holds the minimum of each permutation over the tokens. An empty set has all ones, in legacy in the low 32 bits.
//
// Pure functions, for any thread. Implemented in src/sketch/compat/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace neardup {

/// The first 4 or 8 bytes of the SHA-1 digest (FIPS 180-4) of each token, lowest byte first: sha1_hash32 and sha1_hash64 of the package.
/// Not for security. Requires hashes.size() == tokens.size().
void datasketch_hashes(std::span<const std::string_view> tokens, std::span<uint32_t> hashes) noexcept;
void datasketch_hashes(std::span<const std::string_view> tokens, std::span<uint64_t> hashes) noexcept;

/// Lowers each value of the signature to the minimum of its permutation over the hashes. Requires a.size() == b.size() ==
/// signature.size().
void datasketch_affine32(std::span<const uint32_t> a, std::span<const uint32_t> b, std::span<const uint32_t> hashes,
                         std::span<uint32_t> signature) noexcept;
void datasketch_affine64(std::span<const uint64_t> a, std::span<const uint64_t> b, std::span<const uint64_t> hashes,
                         std::span<uint64_t> signature) noexcept;
void datasketch_legacy(std::span<const uint64_t> a, std::span<const uint64_t> b, std::span<const uint64_t> hashes,
                       std::span<uint64_t> signature) noexcept;

/// Many sets: the tokens of set i are those from ends[i - 1] (0 for the first) to ends[i].
struct DatasketchSets {
  std::span<const std::string_view> tokens;
  std::span<const size_t> ends;
};

/// Lowers the signatures of many sets, one after another in `signatures`, on `threads` threads (0: all cores). The hash function is the
/// package's default of the scheme: of 64 bits for affine64, else of 32. Requires signatures.size() == sets.ends.size() * a.size().
void datasketch_affine32(std::span<const uint32_t> a, std::span<const uint32_t> b, const DatasketchSets& sets,
                         std::span<uint32_t> signatures, uint32_t threads);
void datasketch_affine64(std::span<const uint64_t> a, std::span<const uint64_t> b, const DatasketchSets& sets,
                         std::span<uint64_t> signatures, uint32_t threads);
void datasketch_legacy(std::span<const uint64_t> a, std::span<const uint64_t> b, const DatasketchSets& sets, std::span<uint64_t> signatures,
                       uint32_t threads);

}  // namespace neardup
