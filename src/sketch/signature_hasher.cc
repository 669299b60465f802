#include "sketch/signature_hasher.h"

namespace neardup {
namespace {

using AnyHasher = std::variant<MinHasher, OnePermutationHasher>;

AnyHasher hasher_of(const Recipe& recipe) {
  if (recipe.sketch == SketchKind::kMinHashV2) return AnyHasher(std::in_place_type<OnePermutationHasher>, recipe.lanes, recipe.seed);
  return AnyHasher(std::in_place_type<MinHasher>, recipe.lanes, recipe.seed);
}

}  // namespace

SignatureHasher::SignatureHasher(const Recipe& recipe) : hasher_(hasher_of(recipe)) {}

void SignatureHasher::sketch(std::span<const uint64_t> features, std::span<uint32_t> signature) const noexcept {
  if (const auto* const one = std::get_if<OnePermutationHasher>(&hasher_)) {
    one->sketch(features, signature);
  } else {
    std::get_if<MinHasher>(&hasher_)->sketch(features, signature);
  }
}

void signature_reference(std::span<const uint64_t> features, const Recipe& recipe, std::span<uint32_t> signature) noexcept {
  if (recipe.sketch == SketchKind::kMinHashV2) {
    one_permutation_reference(features, recipe.seed, signature);
  } else {
    minhash_reference(features, recipe.seed, signature);
  }
}

}  // namespace neardup
