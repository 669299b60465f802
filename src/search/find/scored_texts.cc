#include "search/find/scored_texts.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace neardup {
namespace {

constexpr size_t kVerifiedAtOnce = 256;

}  // namespace

void combine_scored(std::vector<uint64_t>& entries) {
  constexpr uint64_t kMaxScore = std::numeric_limits<uint32_t>::max();
  std::ranges::sort(entries);
  size_t combined = 0;
  for (size_t i = 0; i < entries.size(); ++combined) {
    const uint64_t text = entries[i] >> 32;
    uint64_t score = 0;
    for (; i < entries.size() && entries[i] >> 32 == text; ++i) score = std::min(kMaxScore, score + (entries[i] & kMaxScore));
    entries[combined] = text << 32 | score;
  }
  entries.resize(combined);
}

void append_scored(uint32_t part, std::vector<uint64_t>& entries, std::vector<ScoredText>& out) {
  combine_scored(entries);
  for (const uint64_t entry : entries) out.push_back({part, static_cast<uint32_t>(entry >> 32), static_cast<uint32_t>(entry)});
  entries.clear();
}

bool keep_best(const SearchView& view, uint64_t count, std::vector<ScoredText>& texts) {
  if (texts.size() <= count) return false;
  const auto last = texts.begin() + static_cast<ptrdiff_t>(count - 1);
  std::ranges::nth_element(texts, last, std::ranges::greater{}, &ScoredText::score);
  const uint32_t least = last->score;
  const auto equal = std::ranges::partition(texts, [least](const ScoredText& text) { return text.score > least; }).begin();
  const auto end = std::partition(equal, texts.end(), [least](const ScoredText& text) { return text.score == least; });
  // Ids are looked up only where scores do not decide.
  std::vector<std::pair<uint64_t, ScoredText>> by_id;
  for (auto text = equal; text != end; ++text) by_id.emplace_back(view.parts[text->part].texts->id(text->text), *text);
  std::ranges::sort(by_id, {}, [](const auto& entry) { return entry.first; });
  const auto above = static_cast<uint64_t>(equal - texts.begin());
  for (uint64_t i = above; i < count; ++i) texts[i] = by_id[i - above].second;
  texts.resize(count);
  return true;
}

void verify_scored(SearchRun& run, std::vector<ScoredText> texts) {
  std::ranges::sort(texts, {}, [](const ScoredText& text) { return std::tuple(text.part, text.text); });
  std::vector<Candidate> batch;
  for (size_t begin = 0; begin < texts.size(); begin += kVerifiedAtOnce) {
    batch.clear();
    for (size_t i = begin; i < std::min(texts.size(), begin + kVerifiedAtOnce); ++i) batch.push_back({texts[i].part, texts[i].text});
    run.verify(batch);
  }
}

void verify_by_id(SearchRun& run, const std::vector<ScoredText>& texts) {
  std::vector<std::pair<uint64_t, Candidate>> by_id;
  by_id.reserve(texts.size());
  for (const ScoredText& text : texts) {
    by_id.emplace_back(run.view().parts[text.part].texts->id(text.text), Candidate{text.part, text.text});
  }
  std::ranges::sort(by_id, {}, [](const auto& entry) { return entry.first; });
  std::vector<Candidate> batch;
  for (size_t begin = 0; begin < by_id.size() && !run.overfull(); begin += kVerifiedAtOnce) {
    batch.clear();
    for (size_t i = begin; i < std::min(by_id.size(), begin + kVerifiedAtOnce); ++i) batch.push_back(by_id[i].second);
    std::ranges::sort(batch, {}, [](const Candidate& candidate) { return std::tuple(candidate.part, candidate.text); });
    run.verify(batch);
  }
}

}  // namespace neardup
