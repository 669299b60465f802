#include <algorithm>
#include <iterator>

#include "search/find/asked_grams.h"
#include "search/find/find_likely.h"
#include "search/find/gram_evidence.h"
#include "search/find/near_grams.h"
#include "search/find/scored_texts.h"

namespace neardup {
namespace {

constexpr size_t kMaxAskedGrams = 512;
// A clue of so many grams has enough of them that no edit touches.
constexpr size_t kMaxNearGrams = 128;
// Of all lists that are read, unless all hits are counted. The rarest lists come first. Of unchanged clues most postings are dismissed as
// they are read.
constexpr uint64_t kMaxPostings = uint64_t{1} << 18;
constexpr uint64_t kMaxUnchangedPostings = uint64_t{1} << 21;

std::vector<AskedGram> ask(SearchRun& run) {
  const Question& question = run.question();
  std::vector<AskedGram> asked = question.exact() ? look_up(run, question.certain(), GramKind::kCertain)
                                                  : look_up(run, spread(question.grams(), kMaxAskedGrams), GramKind::kPossible);
  if (question.exact() || question.max_edits() == 0 || question.grams().size() > kMaxNearGrams) return asked;
  std::vector<AskedGram> near = look_up(run, near_grams(question), GramKind::kGuess);
  asked.insert(asked.end(), std::make_move_iterator(near.begin()), std::make_move_iterator(near.end()));
  std::ranges::stable_sort(asked, {}, &AskedGram::postings);
  return asked;
}

}  // namespace

void find_close(SearchRun& run) {
  const Question& question = run.question();
  const bool unchanged = question.max_edits() == 0;
  std::vector<AskedGram> asked = ask(run);
  if (!run.counts_only()) {
    uint64_t left = unchanged ? kMaxUnchangedPostings : kMaxPostings;
    const auto too_much = std::ranges::find_if(asked, [&left](const AskedGram& gram) {
      if (gram.postings > left) return true;
      left -= gram.postings;
      return false;
    });
    run.capped = too_much != asked.end();
    asked.erase(too_much, asked.end());
  }
  GramEvidence evidence(run.view(), asked, unchanged);
  evidence.read();
  std::vector<ScoredText> texts = evidence.take_texts();
  run.trace.candidates += texts.size() + evidence.settled();
  run.trace.settled += evidence.settled();
  if (!run.counts_only() && keep_best(run.view(), question.options().max_candidates, texts)) run.capped = true;
  if (unchanged) {
    verify_by_id(run, texts);
  } else {
    verify_scored(run, std::move(texts));
  }
}

}  // namespace neardup
