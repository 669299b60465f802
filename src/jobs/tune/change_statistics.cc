#include "jobs/tune/change_statistics.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "dedup/match/candidates/union_find.h"
#include "jobs/tune/change_excerpt.h"
#include "jobs/tune/consistent_key.h"
#include "jobs/tune/pair_changes.h"
#include "neardup/tools/align.h"

namespace neardup {
namespace {

constexpr size_t kPerBand = 120;             // pairs to look at
constexpr size_t kPerText = 3;               // in a band: else the versions of one document would outvote all others
constexpr size_t kExamples = 3;              // shown
constexpr size_t kLongPair = 2u << 20;       // bytes of both: longer pairs are not aligned
constexpr size_t kAlignedBytes = 24u << 20;  // in all
constexpr size_t kTemplates = 5;
constexpr size_t kTemplateTexts = 3;

struct Examined {
  SamplePair pair;
  size_t band = 0;
  PairKind kind = PairKind::kWords;
  uint64_t block_characters = 0;
  uint64_t characters = 0;
  double weight = 1;  // pairs of the corpus, times the share of the sample, that it stands for
  std::string excerpt;
};

void examine(const std::vector<SampleText>& texts, const ConsistentKey& keys, ConsistentKey::Scratch& scratch, Examined& one) {
  const std::string_view a = texts[one.pair.a].text;
  const std::string_view b = texts[one.pair.b].text;
  const Alignment alignment = align_texts(a, b);
  const PairChanges changes = count_changes(a, b, alignment);
  one.kind = changes.kind();
  one.block_characters = changes.block_characters;
  one.characters = changes.characters;
  one.weight = ConsistentKey::weight_of(keys.similarity(a, b, scratch));
  one.excerpt = change_excerpt(a, b, alignment);
}

// The pairs to look at, from the most similar band down; long texts only as far as the total allows.
std::vector<Examined> choose_pairs(const std::vector<SampleText>& texts, const SamplePairs& pairs) {
  std::vector<Examined> chosen;
  for (size_t band = SamplePairs::kBands; band-- > 0;) {
    size_t of_band = 0;
    for (const SamplePair& pair : pairs.choose(band, kPerBand, kPerText)) {
      const size_t size = texts[pair.a].text.size() + texts[pair.b].text.size();
      if (size > kLongPair || of_band + size > kAlignedBytes / SamplePairs::kBands) continue;
      of_band += size;
      Examined one;
      one.pair = pair;
      one.band = band;
      chosen.push_back(std::move(one));
    }
  }
  return chosen;
}

TunePairs::Example example_of(const std::vector<SampleText>& texts, const Examined& one) {
  return {std::string(texts[one.pair.a].name), std::string(texts[one.pair.b].name), one.pair.similarity, one.kind, one.excerpt};
}

// Which of so many texts are connected by pairs that differ in numbers only.
void find_templates(size_t texts, const std::vector<Examined>& examined, TunePairs& result) {
  UnionFind sets(static_cast<uint32_t>(texts));
  for (const Examined& one : examined) {
    if (one.kind == PairKind::kFacts) sets.unite(one.pair.a, one.pair.b);
  }
  std::map<uint32_t, TunePairs::Template> found;
  for (uint32_t text = 0; text < sets.size(); ++text) ++found[sets.root(text)].documents;
  for (const Examined& one : examined) {
    if (one.kind != PairKind::kFacts) continue;
    TunePairs::Template& frame = found[sets.root(one.pair.a)];
    if (frame.excerpt.empty()) frame.excerpt = one.excerpt;
  }
  for (auto& [text, frame] : found) {
    if (frame.documents >= kTemplateTexts) result.templates.push_back(std::move(frame));
  }
  std::ranges::stable_sort(result.templates, std::greater<>(), &TunePairs::Template::documents);
  if (result.templates.size() > kTemplates) result.templates.resize(kTemplates);
}

void add_kind(PairKind kind, std::array<double, kPairKinds>& kinds) {
  ++kinds[static_cast<size_t>(kind)];
}

void to_shares(uint64_t whole, std::array<double, kPairKinds>& kinds) {
  for (double& count : kinds) count = whole == 0 ? 0 : count / static_cast<double>(whole);
}

}  // namespace

void examine_changes(const std::vector<SampleText>& texts, const SamplePairs& pairs, double share, uint32_t threads, TunePairs& result) {
  std::vector<Examined> examined = choose_pairs(texts, pairs);
  const ConsistentKey keys;
  std::vector<ConsistentKey::Scratch> scratches(resolve_threads(threads));
  parallel_for(resolve_threads(threads), examined.size(), 1,
               [&](uint32_t worker, size_t i) { examine(texts, keys, scratches[worker], examined[i]); });

  uint64_t block_characters = 0;
  uint64_t characters = 0;
  for (size_t band = SamplePairs::kBands; band-- > 0;) {
    TunePairs::Band& row = result.bands.emplace_back();
    double weight = 0;
    row.from = SamplePairs::from(band);
    row.to = row.from + SamplePairs::kWidth;
    row.documents = static_cast<double>(pairs.band(band).texts);
    for (const Examined& one : examined) {
      if (one.band != band) continue;
      ++row.examined;
      weight += one.weight;
      block_characters += one.block_characters;
      characters += one.characters;
      add_kind(one.kind, row.kinds);
      add_kind(one.kind, result.kinds);
      if (row.examples.size() < kExamples) row.examples.push_back(example_of(texts, one));
    }
    row.pairs = static_cast<double>(pairs.band(band).pairs);
    if (share < 1 && row.examined > 0) row.pairs *= weight / static_cast<double>(row.examined) / share;
    to_shares(row.examined, row.kinds);
  }
  result.examined = examined.size();
  result.pairs = pairs.total();
  to_shares(result.examined, result.kinds);
  result.block_characters = characters == 0 ? 0 : static_cast<double>(block_characters) / static_cast<double>(characters);
  find_templates(texts.size(), examined, result);
}

}  // namespace neardup
