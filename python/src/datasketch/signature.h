// Signature and Permutations: the state of a MinHash, without Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "neardup/tools/datasketch_minhash.h"

namespace neardup::python {

/// Numbered as in python/neardup/compat/datasketch/_schemes.py.
enum class Scheme : uint8_t { kLegacy = 0, kAffine32 = 1, kAffine64 = 2 };

/// The words of a scheme: of 32 bits for affine32, else of 64.
using Words = std::variant<std::vector<uint32_t>, std::vector<uint64_t>>;

/// Words of an empty set.
Words empty_signature(Scheme scheme, size_t size);
size_t size_of(const Words& words) noexcept;
std::string_view bytes_of(const Words& words) noexcept;

/// The hash function of the tokens.
enum class TokenHash : uint8_t { kPython = 0, kSha1Of32Bits = 1, kSha1Of64Bits = 2 };

/// The parameters of the permutations; immutable. a and b have the same size and the width of the scheme.
struct Permutations {
  Scheme scheme;
  Words a;
  Words b;

  /// Lowers the signature, which has the width and size of a. Hashes above the scheme's width must not be given.
  void apply(std::span<const uint64_t> hashes, Words& signature) const;
  /// The same for tokens. Requires a hash function of SHA-1, for affine32 the one of 32 bits.
  void apply(TokenHash hash, std::span<const std::string_view> tokens, Words& signature) const;
  /// The empty signatures of many sets, lowered on all cores, one after another. The hash function is that of the scheme.
  [[nodiscard]] Words apply(const DatasketchSets& sets) const;
};

}  // namespace neardup::python
