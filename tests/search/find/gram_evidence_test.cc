#include "search/find/gram_evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>

#include "search/find/near_grams.h"
#include "support/memory_texts.h"

namespace neardup {
namespace {

const ClueMaker& evidence_maker() {
  static const ClueMaker made({});
  return made;
}

std::string form_of(const std::string& text) {
  ClueForm::Scratch scratch;
  std::string form;
  evidence_maker().form.form(text, form, scratch);
  return form;
}

struct Evidence {
  std::map<uint64_t, uint32_t> scores;  // by id
  uint64_t settled = 0;
  friend bool operator==(const Evidence&, const Evidence&) = default;
};

// The bits of a posting for one place of the gram in the clue, cell by cell; none: it does not count.
std::optional<int> bits_of(const ClueAnchor& place, uint32_t context, GramKind kind, bool unchanged) {
  int agreeing = 0;
  int others = 0;
  for (uint32_t cell = 0; cell < 4; ++cell) {
    if ((place.known >> 3 * cell & 7u) == 0) continue;
    ((place.context >> 3 * cell & 7u) == (context >> 3 * cell & 7u) ? agreeing : others) += 1;
  }
  if (unchanged && others > 0) return std::nullopt;
  if (kind == GramKind::kGuess && agreeing == 0) return std::nullopt;
  return 3 * agreeing - others;
}

// By the definition, text by text.
Evidence expected_of(const std::vector<std::string>& texts, const std::set<uint64_t>& removed, const std::vector<AskedGram>& asked,
                     bool unchanged) {
  std::vector<std::vector<Anchor>> anchors(texts.size());
  AnchorScratch scratch;
  for (size_t id = 0; id < texts.size(); ++id) text_anchors(form_of(texts[id]), evidence_maker().shape, scratch, anchors[id]);
  Evidence expected;
  for (const AskedGram& gram : asked) {
    std::map<uint64_t, int> found;
    for (size_t id = 0; id < texts.size(); ++id) {
      if (removed.contains(id)) continue;
      std::optional<int> best;
      bool any = false;
      for (const Anchor& anchor : anchors[id]) {
        if (anchor.hash != gram.hash) continue;
        any = true;
        for (const ClueAnchor& place : gram.places) best = std::max(best, bits_of(place, anchor.context, gram.kind, unchanged));
      }
      if (best) found[id] = *best;
      expected.settled += any && !best ? 1 : 0;
    }
    const int rare = 24 - static_cast<int>(std::bit_width(found.size())) - (gram.kind == GramKind::kGuess ? 8 : 0);
    for (const auto& [id, bits] : found) expected.scores[id] += static_cast<uint32_t>(std::max(1, rare + bits));
  }
  return expected;
}

// What the lists say; `asked` becomes what was looked up.
Evidence evidence_of(const SearchView& view, const Question& question, bool guesses, std::vector<AskedGram>& asked) {
  std::vector<SearchWorker> workers(1);
  SearchRun run(view, question, workers);
  asked = look_up(run, question.grams(), GramKind::kPossible);
  if (guesses) std::ranges::move(look_up(run, near_grams(question), GramKind::kGuess), std::back_inserter(asked));
  GramEvidence evidence(view, asked, question.max_edits() == 0);
  evidence.read();
  Evidence found;
  for (const ScoredText& text : evidence.take_texts()) {
    const bool once = found.scores.emplace(view.parts[text.part].texts->id(text.text), text.score).second;
    EXPECT_TRUE(once);
  }
  found.settled = evidence.settled();
  return found;
}

std::string random_text(std::mt19937_64& random, size_t length) {
  static const std::vector<std::string> kLetters = {"a", "b", "c", " ", "人", "民", "d"};
  std::string text;
  for (size_t i = 0; i < length; ++i) text += kLetters[random() % kLetters.size()];
  return text;
}

TEST(GramEvidence, IsThatOfTheDefinition) {
  std::mt19937_64 random(71);
  size_t settled = 0;
  size_t scored = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const std::string passage = random_text(random, 12 + random() % 25);
    std::vector<std::string> texts;
    for (int i = 0; i < 40; ++i) {
      std::string text = random_text(random, random() % 60);
      if (random() % 3 > 0) text += passage.substr(0, passage.find(' ')) + " " + random_text(random, random() % 20);
      if (random() % 3 == 0) text += passage;
      texts.push_back(text);
    }
    std::set<uint64_t> removed;
    for (int i = 0; i < 6; ++i) removed.insert(random() % texts.size());
    if (form_of(passage).empty()) continue;
    ClueSearch options;
    if (trial % 2 == 0) options.edits = Threshold(0.2);
    const Question question(evidence_maker(), passage, options);
    if (question.grams().empty()) continue;  // exact: asks no grams
    for (const size_t segments : {1, 5}) {
      SearchView view = testing::make_view(texts, segments, evidence_maker());
      uint64_t clock = 0;
      for (const uint64_t id : removed) view.removals.add(id, ++clock);
      std::vector<AskedGram> asked;
      const Evidence found = evidence_of(view, question, trial % 4 == 0, asked);
      EXPECT_EQ(found, expected_of(texts, removed, asked, question.max_edits() == 0)) << passage;
      settled += found.settled;
      scored += found.scores.size();
    }
  }
  EXPECT_GT(settled, 500u);
  EXPECT_GT(scored, 1000u);
}

}  // namespace
}  // namespace neardup
