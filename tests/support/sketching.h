// Sketching for tests, the slow and obvious way: from the weighted features of a text to its fingerprint by the definition.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/sketcher.h"
#include "sketch/simhash.h"

namespace neardup::testing {

/// Empty for a text that is too short.
inline std::optional<Fingerprint128> fingerprint_of(const Sketcher& sketcher, std::string_view text) {
  Sketcher::Scratch scratch;
  std::vector<uint32_t> words(sketcher.sketch_words());
  if (sketcher.sketch(text, scratch, words).too_short) return std::nullopt;
  return Sketcher::fingerprint(words);
}

/// The same of a simhash_v1, by simhash_reference() over weights that are given by word.
inline std::optional<Fingerprint128> slow_fingerprint(const std::map<uint64_t, int64_t>& weights, uint32_t bits) {
  std::vector<WeightedFeature> features;
  for (const auto& [hash, weight] : weights) features.push_back({hash, static_cast<int32_t>(weight)});
  auto made = simhash_reference(features);
  if (made && bits == 64) made->high = 0;
  return made;
}

inline std::map<uint64_t, int64_t> as_map(std::span<const WeightedFeature> features) {
  std::map<uint64_t, int64_t> weights;
  for (const WeightedFeature& feature : features) weights.emplace(feature.hash, feature.weight);
  return weights;
}

}  // namespace neardup::testing
