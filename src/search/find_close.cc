#include <algorithm>
#include <bit>

#include "neardup/stop.h"
#include "search/asked_grams.h"
#include "search/find_likely.h"
#include "search/scored_texts.h"

namespace neardup {
namespace {

constexpr size_t kMaxAskedGrams = 512;
// Of all lists that are read, unless all hits are counted. The rarest lists come first.
constexpr uint64_t kMaxPostings = uint64_t{1} << 21;

// Of a long clue, grams all over it.
std::vector<ClueAnchor> asked_of(const Question& question) {
  if (question.exact()) return question.certain();
  const std::vector<ClueAnchor>& grams = question.grams();
  if (grams.size() <= kMaxAskedGrams) return grams;
  std::vector<ClueAnchor> some;
  for (size_t i = 0; i < kMaxAskedGrams; ++i) some.push_back(grams[i * grams.size() / kMaxAskedGrams]);
  return some;
}

// The gram, and the cells of its neighbourhood that agree with the clue: each is about as telling as half a gram, and a gram that a text
// has by chance has hardly any.
uint32_t score_of(const AskedGram& gram, uint16_t context) noexcept {
  uint32_t best = 0;
  for (const ClueAnchor& place : gram.places) {
    uint32_t cells = 0;
    for (uint32_t cell = 0; cell < kContextCells; ++cell) {
      const uint32_t mask = ((1u << kContextCellBits) - 1) << cell * kContextCellBits;
      if ((place.known & mask) == mask && ((context ^ place.context) & mask) == 0) ++cells;
    }
    best = std::max(best, cells);
  }
  return 1 + best;
}

// Appends the texts of a list with their scores, each once. Without edits, neighbourhoods must agree.
void read_list(const AskedGram& gram, const AnchorImage& image, uint32_t part, bool unchanged, std::vector<uint64_t>& entries,
               uint64_t& settled) {
  for (AnchorImage::Cursor cursor(image, gram.lists[part]); !cursor.done();) {
    const uint32_t text = cursor.text();
    uint32_t score = 0;
    for (; !cursor.done() && cursor.text() == text; cursor.next()) {
      if (!unchanged || gram.fits(cursor.context())) score = std::max(score, score_of(gram, cursor.context()));
    }
    if (score == 0) ++settled;
    if (score > 0) entries.push_back(uint64_t{text} << 32 | score);
  }
}

}  // namespace

void find_close(SearchRun& run) {
  const Question& question = run.question();
  const bool unchanged = question.max_edits() == 0;
  std::vector<AskedGram> asked = look_up(run, asked_of(question), question.exact());
  if (!run.counts_only()) {
    uint64_t postings = 0;
    const auto too_much = std::ranges::find_if(asked, [&](const AskedGram& gram) { return (postings += gram.postings) > kMaxPostings; });
    run.capped = too_much != asked.end();
    asked.erase(too_much, asked.end());
  }
  std::vector<ScoredText> texts;
  std::vector<uint64_t> entries;
  uint64_t settled = 0;
  for (uint32_t part = 0; part < run.view().parts.size(); ++part) {
    const AnchorImage& image = run.view().parts[part].texts->anchors();
    for (const AskedGram& gram : asked) image.fetch_list(gram.lists[part]);
    for (const AskedGram& gram : asked) {
      read_list(gram, image, part, unchanged, entries, settled);
      check_stop();
    }
    append_scored(run, part, entries, texts);
  }
  run.trace.candidates += texts.size() + settled;
  run.trace.settled += settled;
  if (!run.counts_only() && keep_best(run.view(), question.options().max_candidates, texts)) run.capped = true;
  if (unchanged) {
    verify_by_id(run, texts);
  } else {
    verify_scored(run, std::move(texts));
  }
}

}  // namespace neardup
