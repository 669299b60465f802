// Sketcher::words: the features of a text in words, for people. Slow, and therefore apart.
#include <algorithm>
#include <map>

#include "base/hash.h"
#include "neardup/sketcher.h"
#include "sketch/sketcher_stages.h"

namespace neardup {

std::vector<Sketcher::Word> Sketcher::words(std::string_view text, Scratch& scratch) const {
  std::map<uint64_t, int32_t> weights;
  for (const WeightedFeature& feature : weighted_features(text, scratch)) weights.emplace(feature.hash, feature.weight);
  std::vector<Word> words;
  const auto add = [&](std::string_view word) {
    const auto found = weights.find(hash64(word));
    if (found == weights.end()) return;
    words.push_back({std::string(word), found->second});
    weights.erase(found);  // each once, where it occurs first
  };
  if (recipe_.weighting == Weighting::kJiebaKeywords) {
    for (const Keyword& keyword : scratch.stages->keywords) add(keyword.word);
  } else if (scratch.tokens.size() < recipe_.shingle_size) {
    add(view_of(scratch.tokens.joined));
  } else {
    for (size_t i = 0; i + recipe_.shingle_size <= scratch.tokens.size(); ++i) add(scratch.tokens.run(i, recipe_.shingle_size));
  }
  std::ranges::stable_sort(words, [](const Word& a, const Word& b) { return a.weight > b.weight; });
  return words;
}

}  // namespace neardup
