#include "jobs/tune/consistent_key.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/hash.h"
#include "features/feature_set.h"
#include "neardup/recipe.h"

namespace neardup {
namespace {

// Makes the order of grams independent of everything else that is made of XXH3 hashes.
constexpr uint64_t kSalt = 0x7D3F84A1C96B5E27u;
constexpr uint64_t kOdd = 0x9FB21C651E98DF25u;

}  // namespace

ConsistentKey::ConsistentKey() : chain_(Recipe::load("chars-5")) {}

std::string_view ConsistentKey::cut(std::string_view text, Scratch& scratch) const {
  const std::string_view normalized = chain_.normalize(text, scratch.chain);
  chain_.tokenize(normalized, scratch.chain, scratch.tokens);
  const RawVector<uint32_t>& starts = scratch.tokens.starts;  // of the characters, and the end of the text
  scratch.grams.clear();
  const auto size = static_cast<uint32_t>(normalized.size());
  if (size <= kGramBytes) {
    if (size > 0) scratch.grams.push_back((hash64(normalized) ^ kSalt) * kOdd);
    return normalized;
  }
  size_t end = 0;
  for (size_t begin = 0; size - starts[begin] >= kGramBytes; ++begin) {
    while (starts[end] < starts[begin] + kGramBytes) ++end;
    scratch.grams.push_back((hash64(normalized.substr(starts[begin], starts[end] - starts[begin])) ^ kSalt) * kOdd);
  }
  return normalized;
}

ConsistentKey::Keys ConsistentKey::of(std::string_view text, Scratch& scratch) const {
  const std::string_view normalized = cut(text, scratch);
  uint64_t smallest = std::numeric_limits<uint64_t>::max();
  for (const uint64_t gram : scratch.grams) smallest = std::min(smallest, gram);
  return {.key = mix64(smallest), .exact = hash64(normalized), .empty = normalized.empty()};
}

double ConsistentKey::similarity(std::string_view a, std::string_view b, Scratch& scratch) const {
  cut(a, scratch);
  make_feature_set(scratch.grams, scratch.sorting);
  const RawVector<uint64_t> grams_of_a = scratch.grams;
  cut(b, scratch);
  make_feature_set(scratch.grams, scratch.sorting);
  const uint64_t common = count_common(grams_of_a, scratch.grams);
  const uint64_t all = grams_of_a.size() + scratch.grams.size() - common;
  return all == 0 ? 1 : static_cast<double>(common) / static_cast<double>(all);
}

double ConsistentKey::weight_of(double similarity) noexcept {
  constexpr double kHeaviest = 4;
  return similarity > 1 / kHeaviest ? 1 / similarity : kHeaviest;
}

uint64_t ConsistentKey::bound_of_share(double share) noexcept {
  if (!(share > 0)) return 0;
  const double bound = std::ldexp(share, 64);
  return bound >= std::ldexp(1.0, 64) ? std::numeric_limits<uint64_t>::max() : static_cast<uint64_t>(bound);
}

}  // namespace neardup
