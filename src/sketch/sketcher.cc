#include "neardup/sketcher.h"

#include "base/hash.h"
#include "features/feature_set.h"
#include "features/shingles.h"
#include "sketch/minhash.h"
#include "text/normalizer.h"
#include "text/tokenizer.h"

namespace neardup {

namespace {

const Recipe& checked(const Recipe& recipe) {
  recipe.check();
  return recipe;
}

}  // namespace

Sketcher::Sketcher(const Recipe& recipe)
    : recipe_(checked(recipe)),
      normalizer_(make_normalizer(recipe.normalizer)),
      tokenizer_(make_tokenizer(recipe.tokenizer)),
      minhasher_(std::make_unique<MinHasher>(recipe.lanes, recipe.seed)) {}

Sketcher::~Sketcher() = default;

std::string_view Sketcher::normalize(std::string_view text, Scratch& scratch) const {
  normalizer_->normalize(text, scratch.normalized, scratch.piece);
  return view_of(scratch.normalized);
}

const TokenBuffer& Sketcher::tokenize(std::string_view text, Scratch& scratch) const {
  tokenizer_->tokenize(normalize(text, scratch), scratch.tokens);
  return scratch.tokens;
}

void Sketcher::shingle_hashes(std::string_view text, Scratch& scratch) const {
  tokenizer_->tokenize(normalize(text, scratch), scratch.tokens);
  hash_shingles(scratch.tokens, recipe_.shingle_size, recipe_.short_text, scratch.features);
}

Sketcher::Result Sketcher::exact(std::string_view text, Scratch& scratch) const {
  shingle_hashes(text, scratch);
  const XXH128_hash_t hash = XXH3_128bits(scratch.normalized.data(), scratch.normalized.size());
  return {.exact = {.high = hash.high64, .low = hash.low64},
          .feature_occurrences = scratch.features.size(),
          .too_short = !has_distinct(scratch.features, recipe_.min_features)};
}

Sketcher::Result Sketcher::sketch(std::string_view text, Scratch& scratch, std::span<uint32_t> signature) const {
  const Result result = exact(text, scratch);
  // The minimum over a set does not care for repetitions, so there is no need to make it a set first.
  if (!result.too_short) {
    if (recipe_.tokenizer == TokenizerKind::kChars) drop_most_repetitions(scratch.features);
    minhasher_->sketch(scratch.features, signature);
  }
  return result;
}

std::span<const uint64_t> Sketcher::features(std::string_view text, Scratch& scratch) const {
  shingle_hashes(text, scratch);
  if (recipe_.tokenizer == TokenizerKind::kChars) drop_most_repetitions(scratch.features);
  make_feature_set(scratch.features, scratch.sort_space);
  if (scratch.features.size() < recipe_.min_features) scratch.features.clear();
  return scratch.features;
}

}  // namespace neardup
