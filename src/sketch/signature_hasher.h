// SignatureHasher: the signature of a set of features under a recipe, by the kind of its sketch: minhash_v1 or minhash_v2.
//
// Immutable; shared by threads. sketch() is noexcept.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "neardup/recipe.h"
#include "sketch/minhash.h"
#include "sketch/one_permutation.h"

namespace neardup {

class SignatureHasher {
 public:
  /// Requires a recipe that passes Recipe::check(). Of one that makes fingerprints, the result has no meaning.
  explicit SignatureHasher(const Recipe& recipe);

  /// `features` may repeat and come in any order. Requires signature.size() == recipe.lanes. No features: all ones.
  void sketch(std::span<const uint64_t> features, std::span<uint32_t> signature) const noexcept;

 private:
  std::variant<MinHasher, OnePermutationHasher> hasher_;
};

/// The slow twin: the definition of the recipe's sketch, lane by lane.
void signature_reference(std::span<const uint64_t> features, const Recipe& recipe, std::span<uint32_t> signature) noexcept;

}  // namespace neardup
