// The slow twin of verification by weighted features of a MinHash recipe: shingles as strings of tokens, counts in maps, and similarities
// as whole numbers of any length.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <string>
#include <vector>

#include "features/idf.h"
#include "neardup/options.h"
#include "support/oracle.h"

namespace neardup::testing {

class WeightedOracle : public Oracle {
 public:
  using Number = boost::multiprecision::cpp_int;

  WeightedOracle(const std::vector<std::string_view>& texts, const Recipe& recipe, Threshold threshold, Verify verify)
      : Oracle(texts, recipe, threshold), verify_(verify) {
    const Sketcher sketcher(recipe);
    Sketcher::Scratch scratch;
    std::vector<std::map<std::string, uint64_t>> counts;
    std::map<std::string, uint64_t> frequencies;
    for (const std::string_view text : texts) {
      auto& own = counts.emplace_back();
      for (const std::string& shingle : shingles(recipe, sketcher.tokenize(text, scratch))) ++own[shingle];
      for (const auto& [shingle, count] : own) ++frequencies[shingle];
    }
    for (size_t i = 0; i < texts.size(); ++i) {
      auto& own = weights_.emplace_back();
      if (counts[i].size() < recipe.min_features) continue;
      for (const auto& [shingle, count] : counts[i]) {
        own[shingle] = std::min<Number>(Number(count) * idf_fixed(texts.size(), frequencies[shingle]), (Number(1) << 31) - 1);
      }
    }
  }

  [[nodiscard]] std::optional<double> match(size_t a, size_t b) const override {
    if (texts_[a].normalized == texts_[b].normalized) return 1.0;
    if (weights_[a].empty() || weights_[b].empty()) return std::nullopt;
    const uint32_t millionths = verify_ == Verify::kCosine ? cosine(weights_[a], weights_[b]) : jaccard(weights_[a], weights_[b]);
    if (millionths < threshold_.millionths()) return std::nullopt;
    return millionths / 1e6;
  }

 private:
  using Weights = std::map<std::string, Number>;

  static std::vector<std::string> shingles(const Recipe& recipe, const std::vector<std::string_view>& tokens) {
    std::vector<std::string> made;
    const auto run = [&](size_t begin, size_t end) {
      std::string text;
      for (size_t i = begin; i < end; ++i) text.append(tokens[i]).append(1, '\0');
      made.push_back(text);
    };
    for (size_t i = 0; i + recipe.shingle_size <= tokens.size(); ++i) run(i, i + recipe.shingle_size);
    if (made.empty() && !tokens.empty() && recipe.short_text == ShortText::kWhole) run(0, tokens.size());
    return made;
  }

  static uint32_t jaccard(const Weights& a, const Weights& b) {
    Number smaller = 0;
    Number larger = 0;
    for (const auto& [shingle, weight] : a) {
      const auto other = b.find(shingle);
      if (other != b.end()) smaller += std::min(weight, other->second);
      larger += other == b.end() ? weight : std::max(weight, other->second);
    }
    for (const auto& [shingle, weight] : b) larger += a.contains(shingle) ? Number(0) : weight;
    return static_cast<uint32_t>(Number(smaller * 1'000'000 / larger));
  }

  static uint32_t cosine(const Weights& a, const Weights& b) {
    Number dot = 0;
    Number square_a = 0;
    Number square_b = 0;
    for (const auto& [shingle, weight] : a) {
      if (const auto other = b.find(shingle); other != b.end()) dot += weight * other->second;
      square_a += weight * weight;
    }
    for (const auto& [shingle, weight] : b) square_b += weight * weight;
    const Number square = dot * dot * 1'000'000 * 1'000'000 / (square_a * square_b);
    return static_cast<uint32_t>(Number(boost::multiprecision::sqrt(square)));
  }

  Verify verify_;
  std::vector<Weights> weights_;  // none: too short
};

}  // namespace neardup::testing
