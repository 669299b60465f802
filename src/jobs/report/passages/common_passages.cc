#include "jobs/report/passages/common_passages.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "text/utf8/characters.h"

namespace neardup {
namespace {

constexpr size_t kGram = CommonPassages::kGramUnits;
constexpr size_t kCandidates = 300;  // whose documents are counted exactly

using Units = std::span<const uint64_t>;

uint64_t hash_of_units(Units units) {
  return hash64({reinterpret_cast<const char*>(units.data()), units.size_bytes()});
}

std::vector<uint64_t> grams_of(Units units) {
  std::vector<uint64_t> grams;
  if (units.size() < kGram) return grams;
  grams.reserve(units.size() - kGram + 1);
  for (size_t i = 0; i + kGram <= units.size(); ++i) grams.push_back(hash_of_units(units.subspan(i, kGram)));
  return grams;
}

// Grams of at least `min_documents` texts, with their number.
std::unordered_map<uint64_t, uint32_t> frequent_grams(const std::vector<std::vector<uint64_t>>& grams, uint64_t min_documents) {
  std::vector<uint64_t> all;
  std::vector<uint64_t> unique;
  for (const std::vector<uint64_t>& of_text : grams) {
    unique = of_text;
    std::ranges::sort(unique);
    unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
    all.insert(all.end(), unique.begin(), unique.end());
  }
  std::ranges::sort(all);
  std::unordered_map<uint64_t, uint32_t> frequent;
  for (size_t begin = 0; begin < all.size();) {
    size_t end = begin;
    while (end < all.size() && all[end] == all[begin]) ++end;
    if (end - begin >= min_documents) frequent.emplace(all[begin], static_cast<uint32_t>(end - begin));
    begin = end;
  }
  return frequent;
}

struct Candidate {
  size_t text = 0;  // where it stands first
  size_t begin = 0;
  size_t units = 0;
  uint64_t documents = 0;  // at most so many, then exactly

  [[nodiscard]] auto order() const noexcept { return std::tuple(documents * units, units); }
};

// By what they stand for, then by their place: a total order.
bool better(const Candidate& a, const Candidate& b) {
  if (a.order() != b.order()) return a.order() > b.order();
  return std::tuple(a.text, a.begin) < std::tuple(b.text, b.begin);
}

// The runs of frequent grams in one text. A run ends where the number of documents changes by more than a factor of two: another passage
// begins there.
template <typename Visit>
void visit_runs(const std::vector<uint64_t>& grams, const std::unordered_map<uint64_t, uint32_t>& frequent, const Visit& visit) {
  const auto documents = [&](size_t i) -> uint32_t {
    const auto found = frequent.find(grams[i]);
    return found == frequent.end() ? 0 : found->second;
  };
  for (size_t begin = 0; begin < grams.size();) {
    uint32_t low = documents(begin);
    if (low == 0) {
      ++begin;
      continue;
    }
    uint32_t high = low;
    size_t end = begin + 1;
    for (; end < grams.size(); ++end) {
      const uint32_t next = documents(end);
      if (next == 0 || uint64_t{std::min(low, next)} * 2 < std::max(high, next)) break;
      low = std::min(low, next);
      high = std::max(high, next);
    }
    visit(begin, std::min(end - begin + kGram - 1, CommonPassages::kMaxUnits), low);
    begin = end;
  }
}

}  // namespace

void CommonPassages::add(std::string_view text) {
  Text& added = texts_.emplace_back();
  added.text = clip_utf8(text, kTextBytes);
  cutter_.cut(added.text, added.units);
}

std::vector<CommonPassage> CommonPassages::find(size_t most, uint64_t min_documents) const {
  std::vector<std::vector<uint64_t>> grams;
  for (const Text& text : texts_) grams.push_back(grams_of(text.units.units));
  const auto frequent = frequent_grams(grams, std::max<uint64_t>(min_documents, 2));

  std::vector<Candidate> candidates;
  std::unordered_set<uint64_t> seen;
  for (size_t t = 0; t < texts_.size(); ++t) {
    const Units units = texts_[t].units.units;
    visit_runs(grams[t], frequent, [&](size_t begin, size_t length, uint64_t documents) {
      if (seen.insert(hash_of_units(units.subspan(begin, length))).second) candidates.push_back({t, begin, length, documents});
    });
  }
  std::ranges::sort(candidates, better);
  if (candidates.size() > kCandidates) candidates.resize(kCandidates);

  // Counts exactly: wherever the first gram of a candidate stands, its units are compared.
  std::unordered_map<uint64_t, std::vector<size_t>> by_first_gram;
  for (size_t i = 0; i < candidates.size(); ++i) {
    by_first_gram[grams[candidates[i].text][candidates[i].begin]].push_back(i);
    candidates[i].documents = 0;
  }
  std::vector<size_t> last_text(candidates.size(), texts_.size());
  for (size_t t = 0; t < texts_.size(); ++t) {
    const Units units = texts_[t].units.units;
    for (size_t at = 0; at < grams[t].size(); ++at) {
      const auto found = by_first_gram.find(grams[t][at]);
      if (found == by_first_gram.end()) continue;
      for (const size_t i : found->second) {
        Candidate& candidate = candidates[i];
        if (last_text[i] == t || at + candidate.units > units.size()) continue;
        const Units wanted = Units(texts_[candidate.text].units.units).subspan(candidate.begin, candidate.units);
        if (!std::ranges::equal(units.subspan(at, candidate.units), wanted)) continue;
        last_text[i] = t;
        ++candidate.documents;
      }
    }
  }
  std::ranges::sort(candidates, better);

  std::vector<CommonPassage> passages;
  std::unordered_set<uint64_t> covered;  // grams of the passages chosen so far
  for (const Candidate& candidate : candidates) {
    if (passages.size() == most) break;
    if (candidate.documents < min_documents) continue;
    const std::vector<uint64_t>& of_text = grams[candidate.text];
    const size_t count = candidate.units - kGram + 1;
    const auto own = std::span(of_text).subspan(candidate.begin, count);
    const auto inside = static_cast<size_t>(std::ranges::count_if(own, [&](uint64_t gram) { return covered.contains(gram); }));
    if (2 * inside > count) continue;
    covered.insert(own.begin(), own.end());
    const Text& text = texts_[candidate.text];
    const size_t begin = text.units.places[candidate.begin].begin;
    const size_t end = text.units.places[candidate.begin + candidate.units - 1].end;
    const Units units = Units(text.units.units).subspan(candidate.begin, candidate.units);
    passages.push_back({text.text.substr(begin, end - begin), {units.begin(), units.end()}, candidate.documents});
  }
  return passages;
}

}  // namespace neardup
