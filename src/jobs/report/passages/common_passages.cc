#include "jobs/report/passages/common_passages.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "neardup/stop.h"
#include "text/utf8/characters.h"

namespace neardup {
namespace {

constexpr size_t kGram = CommonPassages::kGramUnits;
constexpr size_t kCandidates = 300;   // whose documents are counted exactly
constexpr size_t kSameBeginning = 8;  // of these, that begin with the same gram: repeated words make many
constexpr uint64_t kHashBase = 0x9E3779B97F4A7C15u;

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

// Hashes of any run of units in constant time: polynomials of the beginnings of the sequence.
class RunHashes {
 public:
  RunHashes() : powers_{1} {
    for (size_t i = 0; i < CommonPassages::kMaxUnits; ++i) powers_.push_back(powers_.back() * kHashBase);
  }

  void set(Units units) {
    sums_.assign(1, 0);
    for (const uint64_t unit : units) sums_.push_back(sums_.back() * kHashBase + mix64(unit));
  }
  /// count <= kMaxUnits
  [[nodiscard]] uint64_t of(size_t begin, size_t count) const { return sums_[begin + count] - sums_[begin] * powers_[count]; }

 private:
  std::vector<uint64_t> powers_;
  std::vector<uint64_t> sums_;
};

struct Candidate {
  size_t text = 0;  // where it stands first
  size_t begin = 0;
  size_t units = 0;
  uint64_t documents = 0;  // at most so many, then exactly
  uint64_t hash = 0;       // RunHashes

  [[nodiscard]] auto order() const noexcept { return std::tuple(documents * units, units); }
};

// By what they stand for, then by their place: a total order.
bool better(const Candidate& a, const Candidate& b) {
  if (a.order() != b.order()) return a.order() > b.order();
  return std::tuple(a.text, a.begin) < std::tuple(b.text, b.begin);
}

// Of the candidates, which are sorted, the best kCandidates, and at most kSameBeginning with the same first gram.
template <typename FirstGram>
void keep_best(std::vector<Candidate>& candidates, const FirstGram& first_gram) {
  std::unordered_map<uint64_t, size_t> same;
  size_t kept = 0;
  for (const Candidate& candidate : candidates) {
    if (kept == kCandidates) break;
    if (++same[first_gram(candidate)] <= kSameBeginning) candidates[kept++] = candidate;
  }
  candidates.resize(kept);
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
  for (const Text& text : texts_) {
    check_stop();
    grams.push_back(grams_of(text.units.units));
  }
  const auto frequent = frequent_grams(grams, std::max<uint64_t>(min_documents, 2));

  std::vector<Candidate> candidates;
  std::unordered_set<uint64_t> seen;
  for (size_t t = 0; t < texts_.size(); ++t) {
    check_stop();
    const Units units = texts_[t].units.units;
    visit_runs(grams[t], frequent, [&](size_t begin, size_t length, uint64_t documents) {
      if (seen.insert(hash_of_units(units.subspan(begin, length))).second) candidates.push_back({t, begin, length, documents});
    });
  }
  std::ranges::sort(candidates, better);
  keep_best(candidates, [&](const Candidate& candidate) { return grams[candidate.text][candidate.begin]; });

  // Counts exactly: wherever the first gram of a candidate stands, its units are compared, by their hash first.
  std::unordered_map<uint64_t, std::vector<size_t>> by_first_gram;
  RunHashes hashes;
  for (size_t i = 0; i < candidates.size(); ++i) {
    Candidate& candidate = candidates[i];
    by_first_gram[grams[candidate.text][candidate.begin]].push_back(i);
    hashes.set(Units(texts_[candidate.text].units.units).subspan(candidate.begin, candidate.units));
    candidate.hash = hashes.of(0, candidate.units);
    candidate.documents = 0;
  }
  std::vector<size_t> last_text(candidates.size(), texts_.size());
  for (size_t t = 0; t < texts_.size(); ++t) {
    check_stop();
    const Units units = texts_[t].units.units;
    hashes.set(units);
    for (size_t at = 0; at < grams[t].size(); ++at) {
      const auto found = by_first_gram.find(grams[t][at]);
      if (found == by_first_gram.end()) continue;
      for (const size_t i : found->second) {
        Candidate& candidate = candidates[i];
        if (last_text[i] == t || at + candidate.units > units.size() || hashes.of(at, candidate.units) != candidate.hash) continue;
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
