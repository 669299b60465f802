// The slow twin of a run over fingerprints: all pairs, the distance bit by bit, sets and maps, one thread.
//
// Fingerprints are those of the definition (tests/sketch/sketcher_test.cc holds the sketcher to it).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dedup/match/matcher.h"
#include "features/cosine.h"
#include "neardup/options.h"
#include "neardup/texts.h"
#include "sketch/signature_hasher.h"
#include "support/sketching.h"

namespace neardup::testing {

class FingerprintOracle {
 public:
  /// `judge` and the sketches that bring pairs together follow from options by docs/chinese.md and the help: a run over fingerprints is
  /// judged by distance, with another recipe (or verify jaccard) by Jaccard, with verify cosine by that. `table` is for recipes that need
  /// it.
  FingerprintOracle(const std::vector<std::string_view>& texts, const Options& options, const DocumentFrequencyTable* table = nullptr)
      : options_(options), recipe_(Recipe::load(options.recipe)) {
    const Sketcher sketcher(recipe_, table);
    std::unique_ptr<const Sketcher> also;
    if (!options.also.empty()) also = std::make_unique<const Sketcher>(Recipe::load(options.also), table);
    Sketcher::Scratch scratch;
    for (const std::string_view text : texts) {
      Text made;
      made.normalized = sketcher.normalize(text, scratch);
      for (const auto& [hash, weight] : as_map(sketcher.weighted_features(text, scratch))) {
        made.features.push_back(hash);
        made.weights.push_back(static_cast<uint64_t>(weight));
      }
      made.too_short = made.features.size() < recipe_.min_features;
      add_sketch(sketcher, text, scratch, made);
      if (also) add_sketch(*also, text, scratch, made);
      texts_.push_back(std::move(made));
    }
  }

  [[nodiscard]] size_t size() const { return texts_.size(); }
  [[nodiscard]] bool copies(size_t a, size_t b) const { return texts_[a].normalized == texts_[b].normalized; }
  [[nodiscard]] std::optional<uint32_t> distance(size_t a, size_t b) const {
    const auto& x = texts_[a].code;
    const auto& y = texts_[b].code;
    if (!x || !y) return std::nullopt;
    uint32_t different = 0;
    for (uint32_t bit = 0; bit < 64; ++bit) {
      different += (x->low >> bit & 1) != (y->low >> bit & 1);
      different += (x->high >> bit & 1) != (y->high >> bit & 1);
    }
    return different;
  }

  /// The similarity if the two match.
  [[nodiscard]] std::optional<double> match(size_t a, size_t b) const {
    if (copies(a, b)) return 1.0;
    if (texts_[a].too_short || texts_[b].too_short) return std::nullopt;
    const auto apart = distance(a, b);
    if (!(apart && *apart <= options_.max_distance) && !shares_band(a, b)) return std::nullopt;
    return similarity(a, b);
  }

  /// The similarity if it is enough, whether or not the sketches bring the two together. Requires features.
  [[nodiscard]] std::optional<double> similarity(size_t a, size_t b) const {
    if (options_.verify == Verify::kCosine) {
      const uint32_t millionths = cosine_millionths({texts_[a].features, texts_[a].weights}, {texts_[b].features, texts_[b].weights});
      if (millionths < options_.threshold.millionths()) return std::nullopt;
      return millionths / 1e6;
    }
    if (options_.verify == Verify::kJaccard || !options_.also.empty()) return jaccard(a, b);
    const uint32_t apart = *distance(a, b);
    if (apart > options_.max_distance) return std::nullopt;
    return 1.0 - static_cast<double>(apart) / recipe_.bits;
  }

  struct Kept {
    bool keep;
    size_t keeper;
    double similarity;
  };
  /// The scan rule in this order, of which the first `references` are the reference corpus: all of it is kept, and like any other keeper
  /// the first one that matches is named, even if a later one is an exact copy.
  [[nodiscard]] std::vector<Kept> scan(const std::vector<size_t>& order, size_t references = 0) const {
    std::vector<Kept> verdicts(size());
    std::vector<size_t> kept;
    for (size_t i = 0; i < order.size(); ++i) {
      const size_t document = order[i];
      Kept& verdict = verdicts[document] = {true, 0, 0};
      for (size_t j = 0; i >= references && verdict.keep && j < kept.size(); ++j) {
        if (const auto similarity = match(document, kept[j])) verdict = {false, kept[j], *similarity};
      }
      if (verdict.keep) kept.push_back(document);
    }
    return verdicts;
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

  /// label[i]: the least member of the transitive closure of "matches".
  [[nodiscard]] std::vector<size_t> components() const {
    std::vector<size_t> label(size());
    for (size_t i = 0; i < size(); ++i) label[i] = i;
    const auto edges = pairs();
    for (bool changed = true; changed;) {
      changed = false;
      for (const TextPair& pair : edges) {
        const size_t least = std::min(label[pair.a], label[pair.b]);
        changed |= label[pair.a] != least || label[pair.b] != least;
        label[pair.a] = label[pair.b] = least;
      }
    }
    return label;
  }

 private:
  struct Text {
    std::string normalized;
    std::vector<uint64_t> features;
    std::vector<uint64_t> weights;
    bool too_short = false;
    std::optional<Fingerprint128> code;
    std::vector<uint32_t> signature;
  };

  static void add_sketch(const Sketcher& sketcher, std::string_view text, Sketcher::Scratch& scratch, Text& made) {
    const Recipe& recipe = sketcher.recipe();
    const auto weighted = as_map(sketcher.weighted_features(text, scratch));
    if (weighted.size() < recipe.min_features) return;
    if (recipe.fingerprints()) {
      made.code = recipe.sketch == SketchKind::kSimHash ? slow_fingerprint(weighted, recipe.bits) : fingerprint_of(sketcher, text);
      return;
    }
    std::vector<uint64_t> features;
    for (const auto& [hash, weight] : weighted) features.push_back(hash);
    made.signature.resize(recipe.lanes);
    signature_reference(features, recipe, made.signature);
  }

  [[nodiscard]] bool shares_band(size_t a, size_t b) const {
    const auto& x = texts_[a].signature;
    const auto& y = texts_[b].signature;
    if (x.empty() || y.empty()) return false;
    for (uint32_t band = 0; band < options_.bands; ++band) {
      const auto at = static_cast<ptrdiff_t>(band * options_.rows_per_band);
      if (std::equal(x.begin() + at, x.begin() + at + options_.rows_per_band, y.begin() + at)) return true;
    }
    return false;
  }

  [[nodiscard]] std::optional<double> jaccard(size_t a, size_t b) const {
    const std::set<uint64_t> x(texts_[a].features.begin(), texts_[a].features.end());
    uint64_t common = 0;
    for (const uint64_t feature : texts_[b].features) common += x.count(feature);
    const uint64_t united = x.size() + texts_[b].features.size() - common;
    if (common * 1'000'000 < united * options_.threshold.millionths()) return std::nullopt;
    return static_cast<double>(common) / static_cast<double>(united);
  }

  Options options_;
  Recipe recipe_;
  std::vector<Text> texts_;
};

}  // namespace neardup::testing
