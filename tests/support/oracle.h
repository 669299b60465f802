// The slow, obvious twin of the engine: all pairs, std::set, one thread, the scan rule as the sentence says it.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/sketcher.h"
#include "neardup/texts.h"

namespace neardup::testing {

struct OracleText {
  std::string normalized;
  std::set<uint64_t> features;
};

class Oracle {
 public:
  /// Texts of fewer than `min_length` characters have no features.
  Oracle(const std::vector<std::string_view>& texts, const Recipe& recipe, Threshold threshold, size_t min_length = 0)
      : threshold_(threshold) {
    const Sketcher sketcher(recipe);
    Sketcher::Scratch scratch;
    for (const std::string_view text : texts) {
      OracleText made;
      made.normalized = sketcher.normalize(text, scratch);
      size_t characters = 0;
      for (const char byte : made.normalized) characters += (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
      const auto features = characters < min_length ? std::span<const uint64_t>() : sketcher.features(text, scratch);
      made.features.insert(features.begin(), features.end());
      texts_.push_back(std::move(made));
    }
  }

  virtual ~Oracle() = default;

  [[nodiscard]] size_t size() const { return texts_.size(); }

  /// The similarity if the two match.
  [[nodiscard]] virtual std::optional<double> match(size_t a, size_t b) const {
    if (texts_[a].normalized == texts_[b].normalized) return 1.0;
    const auto& x = texts_[a].features;
    const auto& y = texts_[b].features;
    if (x.empty() || y.empty()) return std::nullopt;
    uint64_t common = 0;
    for (const uint64_t feature : x) common += y.count(feature);
    const uint64_t united = x.size() + y.size() - common;
    if (common * 1'000'000 < united * threshold_.millionths()) return std::nullopt;
    return static_cast<double>(common) / static_cast<double>(united);
  }

  [[nodiscard]] std::vector<TextPair> pairs() const {
    std::vector<TextPair> found;
    for (size_t a = 0; a < size(); ++a) {
      for (size_t b = a + 1; b < size(); ++b) {
        if (const auto similarity = match(a, b)) found.push_back({a, b, *similarity});
      }
    }
    return found;
  }

  /// Go through the documents in this order and keep a document unless a kept one matches it, or it is protected. `candidate` may rule
  /// pairs out. Protected documents must come first in the order.
  struct Kept {
    bool keep;
    size_t keeper;
    double similarity;
  };
  [[nodiscard]] std::vector<Kept> scan(const std::vector<size_t>& order, const std::function<bool(size_t, size_t)>& candidate = {},
                                       const std::set<size_t>& is_protected = {}) const {
    std::vector<Kept> verdicts(size());
    std::vector<size_t> kept;
    for (const size_t document : order) {
      verdicts[document] = {true, 0, 0};
      for (const size_t keeper : kept) {
        if (candidate && texts_[document].normalized != texts_[keeper].normalized && !candidate(document, keeper)) continue;
        if (const auto similarity = match(document, keeper)) {
          verdicts[document] = {is_protected.contains(document), keeper, *similarity};
          break;
        }
      }
      if (verdicts[document].keep) kept.push_back(document);
    }
    return verdicts;
  }

  /// component[i]: the least member of the transitive closure of "matches".
  [[nodiscard]] std::vector<size_t> components() const {
    std::vector<size_t> label(size());
    for (size_t i = 0; i < size(); ++i) label[i] = i;
    for (bool changed = true; changed;) {
      changed = false;
      for (const TextPair& pair : pairs()) {
        const size_t least = std::min(label[pair.a], label[pair.b]);
        changed |= label[pair.a] != least || label[pair.b] != least;
        label[pair.a] = label[pair.b] = least;
      }
    }
    return label;
  }

 protected:
  Threshold threshold_;
  std::vector<OracleText> texts_;
};

}  // namespace neardup::testing
