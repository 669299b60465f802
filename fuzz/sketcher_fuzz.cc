// Any bytes through the recipes of all presets: a sketcher is total, repaired text is the same text, and its ways to look at a text agree.
//
// Presets that need the dictionary of Chinese words are left out where this build has none; the IDF of the corpus is that of a table
// without words.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "features/document_frequency.h"
#include "fuzz_support.h"
#include "neardup/error.h"
#include "neardup/sketcher.h"
#include "sketch/simhash.h"
#include "text/utf8/utf8.h"

namespace {

using namespace neardup;
using fuzz::require;

// The header of docs/weights.md: nine documents, no entries.
const DocumentFrequencyTable& empty_table() {
  static const DocumentFrequencyTable table = [] {
    const uint32_t version = 1;
    const uint32_t description = 2;
    const uint64_t documents = 9;
    const uint64_t entries = 0;
    const uint32_t least[2] = {1, 0};
    std::string bytes = "neardupF";
    const auto append = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    append(version);
    append(description);
    append(documents);
    append(entries);
    append(least);
    bytes += std::string("{}\0\0\0\0\0\0", 8);
    append(hash64(bytes));
    return DocumentFrequencyTable::parse(bytes, "fuzz.idf");
  }();
  return table;
}

const std::vector<std::unique_ptr<const Sketcher>>& sketchers() {
  static const std::vector<std::unique_ptr<const Sketcher>> all = [] {
    std::vector<std::unique_ptr<const Sketcher>> made;
    for (const std::string_view name : Recipe::preset_names()) {
      try {
        Recipe recipe = Recipe::load(std::string(name));
        made.push_back(std::make_unique<const Sketcher>(recipe, &empty_table()));
        if (!recipe.fingerprints()) continue;
        recipe.bits = 128;
        made.push_back(std::make_unique<const Sketcher>(recipe, &empty_table()));
      } catch (const Error& error) {
        require(error.code() == ErrorCode::kInput);  // no dictionary
      }
    }
    return made;
  }();
  return all;
}

void look_at(const Sketcher& sketcher, Sketcher::Scratch& scratch, std::string_view text, std::string_view repaired) {
  const Recipe& recipe = sketcher.recipe();
  std::vector<uint32_t> sketch(sketcher.sketch_words());
  const auto result = sketcher.sketch(text, scratch, sketch);
  require(is_valid_utf8(sketcher.normalize(text, scratch)));

  // A cleaner sees the bytes before they are repaired, and may join the parts of a character that a tag stood in.
  const std::string_view same = recipe.clean == "[]" ? repaired : text;
  std::vector<uint32_t> again(sketcher.sketch_words());
  const auto second = sketcher.sketch(same, scratch, again);
  require(result.exact == second.exact && result.too_short == second.too_short && sketch == again);

  const auto weighted_view = sketcher.weighted_features(text, scratch);
  const std::vector<WeightedFeature> weighted(weighted_view.begin(), weighted_view.end());
  require(result.too_short == (weighted.size() < recipe.min_features));
  require(std::ranges::is_sorted(weighted, {}, &WeightedFeature::hash));
  const auto features = sketcher.features(text, scratch);
  require(std::ranges::equal(features, weighted, {}, {}, &WeightedFeature::hash));
  require(sketcher.words(text, scratch).size() == weighted.size());
  if (recipe.sketch == SketchKind::kSimHash && !result.too_short) {
    auto expected = simhash_reference(weighted);
    require(expected.has_value());
    if (recipe.bits == 64) expected->high = 0;
    require(Sketcher::fingerprint(sketch) == *expected);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Sketcher::Scratch busy;  // used again for every text and recipe: nothing of the one before must be left
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string repaired;
  repair_utf8(text, repaired);
  for (const auto& sketcher : sketchers()) look_at(*sketcher, busy, text, repaired);
  return 0;
}
