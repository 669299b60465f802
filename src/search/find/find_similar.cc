#include <algorithm>
#include <optional>

#include "neardup/stop.h"
#include "search/clue_length.h"
#include "search/find/asked_grams.h"
#include "search/find/find_likely.h"
#include "search/find/scored_texts.h"

namespace neardup {
namespace {

// Of a long clue, those with the smallest hashes: a sample in which anchors are as frequent as among all.
constexpr size_t kMaxAsked = 4096;
// Bounds the memory of long clues with frequent grams: about 16 bytes for each text.
constexpr size_t kCombinedEntries = size_t{1} << 20;

// The anchors that a text at the threshold has in common with the clue, if so many grams are asked.
AnchorBound bound_of(const Question& question, size_t asked) {
  const uint64_t common = question.options().threshold.min_partner_size(asked);
  return common_anchor_bound(common, anchor_density(question.points(), question.maker().shape));
}

// The texts of a segment with at least `bound` of the grams. A text that is in so many lists is in one of all but the `bound` - 1 longest;
// these are only looked into for the texts that the others have.
void count_common_anchors(const SearchRun& run, uint32_t part, const std::vector<AskedGram>& asked, uint32_t bound,
                          std::vector<ScoredText>& out) {
  const AnchorImage& image = run.view().parts[part].texts->anchors();
  std::vector<AnchorImage::List> lists;
  for (const AskedGram& gram : asked) {
    if (gram.lists[part].count > 0) lists.push_back(gram.lists[part]);
  }
  if (lists.size() < bound) return;
  std::ranges::stable_sort(lists, {}, &AnchorImage::List::count);
  for (const AnchorImage::List& list : lists) image.fetch_list(list);

  const size_t read = lists.size() - (bound - 1);
  std::vector<uint64_t> entries;
  size_t room = kCombinedEntries;
  for (size_t i = 0; i < read; ++i) {
    std::optional<uint32_t> last;
    for (AnchorImage::Cursor cursor(image, lists[i]); !cursor.done(); cursor.next()) {
      if (last != cursor.text()) entries.push_back(scored_entry(cursor.text(), 1));
      last = cursor.text();
    }
    if (entries.size() > room) {
      combine_scored(entries);
      room = std::max(kCombinedEntries, 2 * entries.size());
    }
    check_stop();
  }
  std::vector<ScoredText> texts;
  append_scored(part, entries, texts);
  std::erase_if(texts, [&](const ScoredText& text) { return run.view().removed(run.view().parts[part], text.text); });
  for (size_t i = read; i < lists.size() && !texts.empty(); ++i) {
    // The others among the longest lists cannot make up for more.
    const auto rest = static_cast<uint32_t>(lists.size() - i);
    std::erase_if(texts, [&](const ScoredText& text) { return text.score + rest < bound; });
    AnchorImage::Cursor cursor(image, lists[i]);
    for (ScoredText& text : texts) {
      cursor.seek(text.text);
      if (cursor.done()) break;
      if (cursor.text() == text.text) ++text.score;
    }
    check_stop();
  }
  std::erase_if(texts, [&](const ScoredText& text) { return text.score < bound; });
  out.insert(out.end(), texts.begin(), texts.end());
}

}  // namespace

void find_similar(SearchRun& run) {
  const Question& question = run.question();
  std::vector<ClueAnchor> grams = question.grams();
  std::ranges::stable_sort(grams, {}, &ClueAnchor::hash);
  const auto same = std::ranges::unique(grams, {}, &ClueAnchor::hash);
  grams.erase(same.begin(), same.end());
  if (grams.size() > kMaxAsked) grams.resize(kMaxAsked);
  const AnchorBound bound = bound_of(question, grams.size());
  if (!question.exact()) run.predicted_recall = bound.recall;

  const std::vector<AskedGram> asked = look_up(run, grams, GramKind::kPossible);
  std::vector<ScoredText> texts;
  for (uint32_t part = 0; part < run.view().parts.size(); ++part) count_common_anchors(run, part, asked, bound.anchors, texts);
  run.trace.candidates += texts.size();
  if (!run.counts_only() && keep_best(run.view(), question.options().max_candidates, texts)) run.capped = true;
  verify_scored(run, std::move(texts));
}

}  // namespace neardup
