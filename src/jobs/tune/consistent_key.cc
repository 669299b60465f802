#include "jobs/tune/consistent_key.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "features/shingles.h"
#include "neardup/recipe.h"

namespace neardup {
namespace {

constexpr uint32_t kGram = 5;
// Makes the order of 5-grams here independent of the lanes of signatures, which are made of the same hashes.
constexpr uint64_t kSalt = 0x7D3F84A1C96B5E27u;
constexpr uint64_t kOdd = 0x9FB21C651E98DF25u;

Recipe key_recipe() {
  Recipe recipe = Recipe::load("chars-5");
  return recipe;
}

}  // namespace

ConsistentKey::ConsistentKey() : chain_(key_recipe()) {}

ConsistentKey::Keys ConsistentKey::of(std::string_view text, Scratch& scratch) const {
  const std::string_view normalized = chain_.normalize(text, scratch.chain);
  Keys keys{.key = 0, .exact = hash64(normalized), .empty = normalized.empty()};
  chain_.tokenize(normalized, scratch.chain, scratch.tokens);
  hash_shingles(scratch.tokens, kGram, ShortText::kWhole, scratch.shingles);
  uint64_t smallest = std::numeric_limits<uint64_t>::max();
  for (const uint64_t shingle : scratch.shingles) smallest = std::min(smallest, (shingle ^ kSalt) * kOdd);
  keys.key = mix64(smallest);
  return keys;
}

uint64_t ConsistentKey::bound_of_share(double share) noexcept {
  if (!(share > 0)) return 0;
  const double bound = std::ldexp(share, 64);
  return bound >= std::ldexp(1.0, 64) ? std::numeric_limits<uint64_t>::max() : static_cast<uint64_t>(bound);
}

}  // namespace neardup
