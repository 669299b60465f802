#include "search/scan/gram_filter.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "search/gram_features.h"
#include "search/scan/hash_counts.h"

namespace neardup {
namespace {

// More grams that must occur mean fewer candidates and a larger table.
constexpr uint64_t kMaxNeeded = 4;
// The bitmap of a text: logarithms. A gram has 8 to 16 bits, unless the text has more than 8 million.
constexpr int kBitmapBitsPerByte = 3;
constexpr int kMinBitmapBits = 10;
constexpr int kMaxBitmapBits = 27;

}  // namespace

GramFilter::GramFilter(std::span<const Clue> clues) : clues_(clues) {
  size_t all = 0;
  for (const Clue& clue : clues) all += clue.features().size();
  HashCounts clues_with(all);
  for (const Clue& clue : clues) {
    for (const uint64_t gram : clue.features()) clues_with.add(gram);
  }
  std::vector<KeyTable<uint32_t>::Entry> entries;
  std::vector<std::pair<uint32_t, uint64_t>> rarest;
  for (const Clue& clue : clues) {
    const uint64_t grams = clue.features().size();
    const uint64_t common = clue.options().threshold.min_partner_size(grams);
    const uint64_t needed = std::min(common, kMaxNeeded);
    rarest.clear();
    for (const uint64_t gram : clue.features()) rarest.emplace_back(clues_with[gram], gram);
    const auto chosen = static_cast<std::ptrdiff_t>(grams - common + needed);
    std::ranges::partial_sort(rarest, rarest.begin() + chosen);
    const auto number = static_cast<uint32_t>(needed_.size());
    for (auto gram = rarest.begin(); gram != rarest.begin() + chosen; ++gram) entries.emplace_back(gram->second, number);
    needed_.push_back(static_cast<uint32_t>(needed));
  }
  grams_ = KeyTable<uint32_t>(std::move(entries));
}

void GramFilter::find(std::string_view form, const AnchorShape& shape, Scratch& scratch, std::vector<uint32_t>& candidates) const {
  scratch.seen.next_text();
  scratch.found.next_text();
  scratch.likely.clear();
  const int bits = std::clamp(static_cast<int>(std::bit_width(form.size())) + kBitmapBitsPerByte, kMinBitmapBits, kMaxBitmapBits);
  const int shift = 64 - bits;
  scratch.grams.assign(size_t{1} << (bits - 6), 0);
  for_each_gram(form, shape, [&](size_t begin, size_t end) {
    const uint64_t gram = gram_feature(form, begin, end);
    const uint64_t bit = gram >> shift;
    scratch.grams[bit / 64] |= uint64_t{1} << bit % 64;
    if (!grams_.may_have(gram)) [[likely]]
      return;
    const KeyTable<uint32_t>::List clues = grams_.find(gram);
    if (clues.values.empty() || scratch.seen[clues.number]++ > 0) return;
    for (const uint32_t clue : clues.values) {
      if (++scratch.found[clue] == needed_[clue]) scratch.likely.push_back(clue);
    }
  });
  for (const uint32_t clue : scratch.likely) {
    const std::vector<uint64_t>& features = clues_[clue].features();
    uint64_t missing = features.size() - clues_[clue].options().threshold.min_partner_size(features.size()) + 1;
    for (const uint64_t gram : features) {
      const uint64_t bit = gram >> shift;
      missing -= ~scratch.grams[bit / 64] >> bit % 64 & 1;
      if (missing == 0) break;
    }
    if (missing > 0) candidates.push_back(clue);
  }
}

}  // namespace neardup
