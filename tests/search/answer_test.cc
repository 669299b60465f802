#include "search/answer/answer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "neardup/error.h"
#include "search/code_points.h"
#include "support/memory_texts.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using testing::make_view;
using Mode = ClueSearch::Mode;

constexpr std::string_view kBoilerplate = " Permission is granted to copy this text without fee.";
constexpr std::string_view kNotice = "本文由编辑部整理，未经许可不得转载。";

std::string chinese_text(std::mt19937_64& random, size_t characters) {
  std::string text;
  for (size_t i = 0; i < characters; ++i) {
    append_utf8(0x4E00 + static_cast<char32_t>(random() % 60), text);
    if (random() % 12 == 0) text += "，";
  }
  return text;
}

std::string english_text(std::mt19937_64& random, size_t words) {
  static constexpr std::string_view kWords[] = {"the",   "of",   "River", "people",  "law", "under",   "a",  "Committee",
                                                "shall", "time", "house", "morning", "and", "against", "to", "report"};
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    text += (i == 0 ? "" : random() % 10 == 0 ? ", " : " ");
    text += kWords[random() % std::size(kWords)];
  }
  return text;
}

// Texts of all sizes, with copies, parts of one another, shared endings and empty ones.
std::vector<std::string> make_texts(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::string> texts;
  while (texts.size() < count) {
    switch (random() % 8) {
      case 0:
        texts.push_back(chinese_text(random, random() % 8));
        break;
      case 1:
      case 2:
        texts.push_back(chinese_text(random, 20 + random() % 200));
        break;
      case 3:
      case 4:
        texts.push_back(english_text(random, 5 + random() % 80));
        break;
      case 5:
        texts.push_back(english_text(random, random() % 30) + chinese_text(random, random() % 40) + std::string(kBoilerplate));
        break;
      case 6:
        texts.push_back(chinese_text(random, random() % 90) + std::string(kNotice));
        break;
      default:
        if (texts.empty()) break;
        const std::string& other = texts[random() % texts.size()];
        texts.push_back(random() % 2 == 0 ? other : "Quoted: \"" + other + "\" " + english_text(random, 9));
    }
  }
  return texts;
}

std::vector<char32_t> points_of(std::string_view text) {
  std::vector<char32_t> points;
  to_code_points(text, points);
  return points;
}

std::string utf8_of(std::span<const char32_t> points) {
  std::string text;
  for (const char32_t c : points) append_utf8(c, text);
  return text;
}

// A run of code points of a text; all of it if it is shorter.
std::string cut_from(const std::string& text, size_t length, std::mt19937_64& random) {
  const std::vector<char32_t> points = points_of(text);
  if (points.size() <= length) return text;
  return utf8_of(std::span(points).subspan(random() % (points.size() - length), length));
}

std::string with_edits(const std::string& text, size_t edits, std::mt19937_64& random) {
  std::vector<char32_t> points = points_of(text);
  for (size_t i = 0; i < edits && points.size() > 1; ++i) {
    const auto at = points.begin() + static_cast<ptrdiff_t>(random() % points.size());
    if (random() % 3 == 0) {
      points.erase(at);
    } else if (random() % 2 == 0) {
      points.insert(at, U'x');
    } else {
      *at = U'q';
    }
  }
  return utf8_of(points);
}

class Corpus {
 public:
  explicit Corpus(std::vector<std::string> texts, ClueRecipe recipe = {}, size_t segments = 3)
      : maker_(recipe), texts_(std::move(texts)), view_(make_view(texts_, segments, maker_)) {
    for (const std::string& text : texts_) forms_.push_back(form(text));
  }

  [[nodiscard]] ClueAnswer ask(std::string_view clue, const ClueSearch& options) {
    return answer_question(view_, maker_, clue, options, workers_);
  }
  [[nodiscard]] std::string form(std::string_view text) const {
    ClueForm::Scratch scratch;
    std::string form;
    maker_.form.form(text, form, scratch);
    return form;
  }
  // The obvious scan.
  [[nodiscard]] std::vector<uint64_t> with_clue(std::string_view clue) const {
    std::vector<uint64_t> ids;
    const std::string wanted = form(clue);
    for (size_t i = 0; i < texts_.size(); ++i) {
      const bool removed = view_.removals.kill(i, 0);
      if (!removed && forms_[i].find(wanted) != std::string::npos) ids.push_back(i);
    }
    return ids;
  }
  void remove(uint64_t id) { view_.removals.add(id, ++clock_); }
  [[nodiscard]] const std::vector<std::string>& forms() const { return forms_; }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  [[nodiscard]] const std::string& any_text(std::mt19937_64& random) const { return texts_[random() % texts_.size()]; }

 private:
  ClueMaker maker_;
  std::vector<std::string> texts_;
  std::vector<std::string> forms_;
  SearchView view_;
  std::vector<SearchWorker> workers_;
  uint64_t clock_ = 0;
};

std::vector<uint64_t> ids_of(const ClueAnswer& answer) {
  std::vector<uint64_t> ids;
  for (const ClueHit& hit : answer.hits) ids.push_back(hit.id);
  return ids;
}

void expect_same(const ClueAnswer& a, const ClueAnswer& b) {
  ASSERT_EQ(ids_of(a), ids_of(b));
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.more, b.more);
  EXPECT_EQ(a.capped, b.capped);
  for (size_t i = 0; i < a.hits.size(); ++i) {
    EXPECT_EQ(a.hits[i].begin, b.hits[i].begin);
    EXPECT_EQ(a.hits[i].end, b.hits[i].end);
    EXPECT_EQ(a.hits[i].edits, b.hits[i].edits);
    EXPECT_EQ(a.hits[i].similarity, b.hits[i].similarity);
    EXPECT_EQ(a.hits[i].differences, b.hits[i].differences);
  }
}

// Clues of all lengths around the guarantee: exact answers miss nothing, the others have no wrong hit, and scans find all.
TEST(Answer, EqualsTheObviousScan) {
  Corpus corpus(make_texts(1, 600));
  std::mt19937_64 random(2);
  corpus.remove(17);
  corpus.remove(300);
  size_t guaranteed = 0;
  size_t empty = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const std::string clue = cut_from(corpus.any_text(random), 1 + random() % 60, random);
    if (corpus.form(clue).empty()) {
      ++empty;
      continue;
    }
    const std::vector<uint64_t> expected = corpus.with_clue(clue);
    const ClueAnswer answer = corpus.ask(clue, {.limit = 1000});
    EXPECT_FALSE(answer.more) << clue;
    EXPECT_EQ(answer.certainty == ClueCertainty::kExact, answer.guaranteed);
    if (answer.guaranteed) {
      ++guaranteed;
      EXPECT_EQ(ids_of(answer), expected) << clue;
      EXPECT_EQ(answer.predicted_recall, 1);
    } else {
      EXPECT_TRUE(std::ranges::includes(expected, ids_of(answer))) << clue;
      EXPECT_LT(answer.predicted_recall, 1);
      EXPECT_LT(answer.columns, answer.min_run + 1);
    }
    for (const ClueHit& hit : answer.hits) {
      EXPECT_NE(corpus.form(hit.passage).find(corpus.form(clue)), std::string::npos) << hit.passage;
      EXPECT_EQ(corpus.texts()[hit.id].substr(hit.begin, hit.end - hit.begin), hit.passage);
      EXPECT_EQ(points_of(corpus.texts()[hit.id].substr(0, hit.end)).size(), hit.end_character);
      EXPECT_EQ(hit.name, "text-" + std::to_string(hit.id));
      EXPECT_GE(hit.occurrences, 1u);
    }
    if (trial % 10 == 0) {
      EXPECT_EQ(ids_of(corpus.ask(clue, {.limit = 1000, .scan = true, .threads = 2})), expected);
    }
    if (trial % 5 == 0 && answer.guaranteed) {
      EXPECT_EQ(corpus.ask(clue, {.count_only = true, .threads = 2}).count, expected.size());
    }
  }
  EXPECT_GT(guaranteed, 500u);
  EXPECT_LT(empty, 100u);
}

// The hits are the first ones, and `more` is true exactly if there are others.
TEST(Answer, SaysWhetherThereIsMore) {
  Corpus corpus(make_texts(3, 500));
  std::mt19937_64 random(4);
  std::vector<std::string> clues{std::string(kBoilerplate), std::string(kNotice)};
  for (int i = 0; i < 150; ++i) clues.push_back(cut_from(corpus.any_text(random), 25 + random() % 20, random));
  for (const std::string& clue : clues) {
    if (corpus.form(clue).empty() || !corpus.ask(clue, {}).guaranteed) continue;
    const std::vector<uint64_t> expected = corpus.with_clue(clue);
    for (const uint64_t limit :
         {uint64_t{1}, uint64_t{2}, uint64_t{7}, uint64_t{expected.size()}, uint64_t{expected.size()} + 1, UINT64_MAX}) {
      const ClueAnswer answer = corpus.ask(clue, {.limit = limit});
      EXPECT_EQ(answer.more, expected.size() > limit) << clue << " " << limit;
      EXPECT_FALSE(answer.capped);
      EXPECT_EQ(answer.count, answer.more ? limit + 1 : expected.size());
      const std::vector<uint64_t> first(expected.begin(),
                                        expected.begin() + static_cast<ptrdiff_t>(std::min<uint64_t>(limit, expected.size())));
      EXPECT_EQ(ids_of(answer), first);
    }
  }
}

TEST(Answer, DoesNotDependOnSegmentsAndThreads) {
  const std::vector<std::string> texts = make_texts(5, 400);
  Corpus one(texts, {}, 1);
  Corpus many(texts, {}, 7);
  for (const uint64_t id : {3u, 4u, 5u, 77u, 200u}) {
    one.remove(id);
    many.remove(id);
  }
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 150; ++trial) {
    const std::string clue = "z" + with_edits(cut_from(one.any_text(random), 10 + random() % 50, random), random() % 3, random);
    ClueSearch options{.limit = 1 + random() % 6, .scan = random() % 4 == 0, .count_only = random() % 4 == 0};
    if (random() % 3 > 0) options.edits = 0.1;
    if (random() % 3 == 0) options = {.mode = Mode::kResembles, .threshold = 0.4, .limit = 3, .count_only = random() % 4 == 0};
    if (random() % 3 == 0) options.max_candidates = 1 + random() % 5;
    ClueSearch threaded = options;
    threaded.threads = 3;
    expect_same(one.ask(clue, options), many.ask(clue, threaded));
  }
}

// Removed texts in the lists change nothing, as long as no list is too long.
TEST(Answer, IsTheSameAfterAMerge) {
  std::vector<std::string> texts = make_texts(18, 300);
  Corpus removed(texts, {}, 3);
  std::mt19937_64 random(19);
  for (size_t id = 0; id < texts.size(); ++id) {
    if (random() % 3 > 0) continue;
    removed.remove(id);
    texts[id].clear();  // keeps the ids; an empty text has no anchor and no hit
  }
  Corpus merged(texts, {}, 1);
  for (int trial = 0; trial < 150; ++trial) {
    std::string clue = with_edits(cut_from(removed.any_text(random), 5 + random() % 50, random), random() % 3, random);
    if (removed.form(clue).empty()) clue = kBoilerplate;
    ClueSearch options{.limit = 1 + random() % 6, .count_only = random() % 4 == 0};
    if (random() % 3 > 0) options.edits = 0.1;
    if (random() % 3 == 0) options = {.mode = Mode::kResembles, .threshold = 0.4, .limit = 3, .count_only = random() % 4 == 0};
    if (random() % 3 == 0) options.max_candidates = 1 + random() % 5;
    expect_same(removed.ask(clue, options), merged.ask(clue, options));
  }
}

// Any run with as many columns as the guaranteed length, wherever in a text, of narrow and wide characters.
TEST(Answer, FindsEveryRunOfTheGuaranteedColumns) {
  std::mt19937_64 random(20);
  static const std::u32string kPoints = U"abcd 人民网";
  std::vector<std::string> texts;
  for (int i = 0; i < 120; ++i) {
    std::vector<char32_t> points;
    for (uint64_t length = 10 + random() % 120; length > 0; --length) points.push_back(kPoints[random() % kPoints.size()]);
    texts.push_back(utf8_of(points));
  }
  for (const uint32_t min_run : {8u, 23u, 40u}) {
    Corpus corpus(texts, {.min_run = min_run});
    for (int trial = 0; trial < 400; ++trial) {
      const std::vector<char32_t> points = points_of(corpus.forms()[random() % texts.size()]);
      const size_t begin = trial % 4 == 0 ? 0 : random() % points.size();
      size_t end = begin;
      for (uint32_t columns = 0; end < points.size() && (columns < min_run || trial % 4 == 1); ++end) columns += columns_of(points[end]);
      const std::string clue = corpus.form(utf8_of(std::span(points).subspan(begin, end - begin)));
      if (clue.empty()) continue;
      const ClueAnswer answer = corpus.ask(clue, {.limit = 1000});
      if (answer.columns < min_run) continue;
      EXPECT_EQ(answer.certainty, ClueCertainty::kExact) << clue;
      EXPECT_EQ(ids_of(answer), corpus.with_clue(clue)) << clue;
    }
  }
}

// Of large hits only some texts are kept from their check until their passages are shown; the others are read again.
TEST(Answer, ShowsPassagesOfLargeTexts) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < 4; ++i) {
    texts.push_back(std::string(i, '(') + std::string(kBoilerplate) + std::string((size_t{3} << 20) / 2, ')'));
    texts.push_back("A short one." + std::string(kBoilerplate));
  }
  Corpus corpus(texts);
  for (const uint32_t threads : {1u, 3u}) {
    const ClueAnswer answer = corpus.ask(kBoilerplate, {.scan = true, .threads = threads});
    ASSERT_EQ(answer.hits.size(), texts.size());
    for (const ClueHit& hit : answer.hits) {
      EXPECT_EQ(hit.text_bytes, texts[hit.id].size());
      EXPECT_EQ(hit.begin, texts[hit.id].find("Permission"));
      EXPECT_EQ(hit.passage, "Permission is granted to copy this text without fee");
    }
  }
}

// The best passage of each text by the table of edit distances.
TEST(Answer, FindsEditedClues) {
  Corpus corpus(make_texts(7, 300));
  std::mt19937_64 random(8);
  size_t exact = 0;
  size_t found = 0;
  size_t wanted = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::string clue = with_edits(cut_from(corpus.any_text(random), 15 + random() % 60, random), random() % 4, random);
    if (corpus.form(clue).empty()) continue;
    const Threshold edits = trial % 2 == 0 ? 0.04 : 0.1;
    const ClueAnswer scan = corpus.ask(clue, {.edits = edits, .limit = 1000, .scan = true});
    const ClueAnswer answer = corpus.ask(clue, {.edits = edits, .limit = 1000});
    EXPECT_EQ(scan.certainty, ClueCertainty::kScan);
    EXPECT_FALSE(answer.more);
    EXPECT_EQ(answer.certainty == ClueCertainty::kExact, answer.guaranteed && answer.max_edits <= answer.guaranteed_edits);
    if (answer.certainty == ClueCertainty::kExact) {
      ++exact;
      expect_same(answer, scan);
    }
    if (answer.columns >= 40) {
      wanted += scan.hits.size();
      found += answer.hits.size();
    }
    EXPECT_TRUE(std::ranges::is_sorted(scan.hits, {}, [](const ClueHit& hit) { return std::pair(hit.edits, hit.id); }));
    const std::vector<char32_t> clue_points = points_of(corpus.form(clue));
    const Aligner aligner(clue_points);
    Aligner::Scratch scratch;
    std::vector<uint64_t> expected;
    for (size_t i = 0; i < corpus.texts().size(); ++i) {
      const auto best = aligner.best(points_of(corpus.forms()[i]), scan.max_edits, scratch);
      if (best) expected.push_back(i);
    }
    std::vector<uint64_t> ids = ids_of(scan);
    std::ranges::sort(ids);
    EXPECT_EQ(ids, expected);
    for (const ClueHit& hit : scan.hits) {
      EXPECT_EQ(hit.differences.empty(), hit.edits == 0);
      const auto again = aligner.best(points_of(corpus.form(hit.passage)), scan.max_edits, scratch);
      ASSERT_TRUE(again.has_value());
      EXPECT_EQ(again->edits, hit.edits);
    }
  }
  EXPECT_GT(exact, 30u);
  EXPECT_GT(static_cast<double>(found), 0.9 * static_cast<double>(wanted));
}

// The definition, with sets of strings.
TEST(Answer, FindsSimilarTexts) {
  Corpus corpus(make_texts(9, 300));
  std::mt19937_64 random(10);
  const auto grams_of = [&](std::string_view text) {
    const std::vector<char32_t> points = points_of(corpus.form(text));
    std::vector<std::string> grams;
    for (size_t begin = 0; begin < points.size(); ++begin) {
      uint32_t columns = 0;
      size_t end = begin;
      while (end < points.size() && columns < AnchorShape{}.gram) columns += columns_of(points[end++]);
      if (columns >= AnchorShape{}.gram) grams.push_back(utf8_of(std::span(points).subspan(begin, end - begin)));
    }
    if (grams.empty() && !points.empty()) grams.push_back(utf8_of(points));
    std::ranges::sort(grams);
    const auto same = std::ranges::unique(grams);
    grams.erase(same.begin(), same.end());
    return grams;
  };
  std::vector<std::vector<std::string>> text_grams;
  for (const std::string& text : corpus.texts()) text_grams.push_back(grams_of(text));
  size_t wanted = 0;
  size_t found = 0;
  for (int trial = 0; trial < 160; ++trial) {
    const std::string clue = with_edits(cut_from(corpus.any_text(random), 5 + random() % 300, random), random() % 6, random);
    const std::vector<std::string> clue_grams = grams_of(clue);
    if (clue_grams.empty()) continue;
    const ClueMeasure measure = trial % 2 == 0 ? ClueMeasure::kContainment : ClueMeasure::kJaccard;
    const ClueSearch options{.mode = Mode::kResembles, .threshold = 0.5, .measure = measure, .limit = 1000};
    ClueSearch scanning = options;
    scanning.scan = true;
    const ClueAnswer scan = corpus.ask(clue, scanning);
    std::vector<std::tuple<double, uint64_t>> expected;
    for (size_t i = 0; i < corpus.texts().size(); ++i) {
      const std::vector<std::string>& grams = text_grams[i];
      std::vector<std::string> common;
      std::ranges::set_intersection(clue_grams, grams, std::back_inserter(common));
      const size_t all = measure == ClueMeasure::kContainment ? clue_grams.size() : clue_grams.size() + grams.size() - common.size();
      if (common.size() * 2 >= all) expected.emplace_back(-static_cast<double>(common.size()) / static_cast<double>(all), i);
    }
    std::ranges::sort(expected);
    std::vector<std::tuple<double, uint64_t>> rows;
    for (const ClueHit& hit : scan.hits) rows.emplace_back(-hit.similarity, hit.id);
    EXPECT_EQ(rows, expected);
    const ClueAnswer answer = corpus.ask(clue, options);
    EXPECT_FALSE(answer.more);
    if (answer.columns >= 80) {
      wanted += scan.hits.size();
      found += answer.hits.size();
    }
    if (answer.certainty == ClueCertainty::kExact) expect_same(answer, scan);
    for (const ClueHit& hit : answer.hits) EXPECT_FALSE(hit.passage.empty());
  }
  EXPECT_GT(wanted, 80u);
  EXPECT_GT(static_cast<double>(found), 0.97 * static_cast<double>(wanted));
}

TEST(Answer, CapsAreReported) {
  Corpus corpus(std::vector<std::string>(50, "The same sentence stands in every one of these texts, word for word."));
  const ClueAnswer capped = corpus.ask("the same santence stands in evary one of these", {.edits = 0.1, .limit = 5, .max_candidates = 20});
  EXPECT_TRUE(capped.capped);
  EXPECT_TRUE(capped.more);
  EXPECT_EQ(capped.trace.texts_read, 20u);
  EXPECT_EQ(capped.trace.candidates, 50u);
  EXPECT_EQ(capped.hits.size(), 5u);
  // An exact answer reads as many texts as it needs.
  const ClueAnswer exact = corpus.ask("the same sentence stands in every one", {.limit = 30, .max_candidates = 20});
  EXPECT_EQ(exact.hits.size(), 30u);
  EXPECT_FALSE(exact.capped);
  EXPECT_TRUE(exact.more);
  const ClueAnswer counted =
      corpus.ask("the same santence stands in evary one of these", {.edits = 0.1, .count_only = true, .max_candidates = 20});
  EXPECT_EQ(counted.count, 50u);
  EXPECT_FALSE(counted.more);
  EXPECT_TRUE(counted.hits.empty());
}

// Lists are too long to be read: the answer says so, and still has hits.
TEST(Answer, LongListsAreReported) {
  Corpus corpus(std::vector<std::string>(40'000, "The same sentence stands here"));
  const ClueAnswer capped = corpus.ask("the same sentence stand here", {.edits = 0.1, .limit = 5, .max_candidates = 100'000});
  EXPECT_TRUE(capped.capped);
  EXPECT_TRUE(capped.more);
  EXPECT_EQ(capped.hits.size(), 5u);
  EXPECT_GT(capped.trace.postings, uint64_t{1} << 18);
}

// The source has rare grams; hundreds of texts have a frequent one, and cannot all be read.
TEST(Answer, ReadsThePromisingTextsFirst) {
  std::mt19937_64 random(16);
  std::vector<std::string> texts;
  for (int i = 0; i < 400; ++i) texts.push_back(english_text(random, 4) + " of the committee on the river " + english_text(random, 4));
  texts.emplace_back("Zephyrs vex the quiet jackdaws of the committee, who grumble.");
  Corpus corpus(texts, {}, 4);
  const std::string clue = "zephyrs vox the quiet jackdaws of the committee on";
  const ClueAnswer answer = corpus.ask(clue, {.edits = 0.1, .max_candidates = 5});
  EXPECT_EQ(ids_of(answer), (std::vector<uint64_t>{400}));
  EXPECT_GT(answer.trace.candidates, 100u);
  corpus.remove(400);
  EXPECT_TRUE(corpus.ask(clue, {.edits = 0.1, .max_candidates = 5}).hits.empty());
}

// An edit in the middle of a short clue leaves no gram of it, only guesses.
TEST(Answer, FindsClueByGuessedGrams) {
  std::mt19937_64 random(17);
  size_t found = 0;
  for (int trial = 0; trial < 60; ++trial) {
    std::string text;
    for (int i = 0; i < 30; ++i) text.push_back(static_cast<char>('a' + random() % 8));
    Corpus corpus({text, "nothing like it"}, {}, 1);
    std::string clue = text.substr(5, 15);
    clue[7] = 'z';
    const ClueAnswer answer = corpus.ask(clue, {.edits = 0.1});
    EXPECT_EQ(answer.certainty, ClueCertainty::kLikely);
    found += answer.hits.size();
  }
  EXPECT_GT(found, 30u);
}

TEST(Answer, SettlesCandidatesByTheirNeighbourhood) {
  std::vector<std::string> texts;
  std::mt19937_64 random(14);
  for (int i = 0; i < 200; ++i) texts.push_back(english_text(random, 6) + " reference number " + english_text(random, 6));
  texts.emplace_back("quietly the reference number was changed by a clerk at night");
  Corpus corpus(texts);
  const ClueAnswer answer = corpus.ask("the reference number was changed", {.explain = true});
  EXPECT_EQ(ids_of(answer), (std::vector<uint64_t>{200}));
  EXPECT_LT(answer.trace.texts_read, 10u);
  EXPECT_FALSE(answer.trace.asked.empty());
  EXPECT_TRUE(answer.trace.asked.front().certain);
}

TEST(Answer, FoldsTraditionalCharacters) {
  const std::vector<std::string> texts{"全國人民代表大會是最高國家權力機關。", "全国人民代表大会是最高国家权力机关。", "无关的文字"};
  Corpus folded(texts, {.fold_han = true});
  Corpus plain(texts);
  const std::string clue = "人民代表大会是最高国家权力机关";
  EXPECT_EQ(ids_of(folded.ask(clue, {})), (std::vector<uint64_t>{0, 1}));
  EXPECT_EQ(ids_of(plain.ask(clue, {})), (std::vector<uint64_t>{1}));
  EXPECT_EQ(folded.ask(clue, {}).hits[0].passage, "人民代表大會是最高國家權力機關");
}

TEST(Answer, FindsTextsShorterThanAGram) {
  Corpus corpus({"人民", "人民网", "权", "ab", "AB!", "人民"});
  const ClueAnswer answer = corpus.ask("人民", {});
  EXPECT_EQ(ids_of(answer), (std::vector<uint64_t>{0, 5}));
  EXPECT_EQ(answer.certainty, ClueCertainty::kLikely);
  EXPECT_EQ(answer.predicted_recall, 0);
  const ClueAnswer similar = corpus.ask("ab", {.mode = Mode::kResembles});
  EXPECT_EQ(ids_of(similar), (std::vector<uint64_t>{3, 4}));
  EXPECT_EQ(similar.certainty, ClueCertainty::kExact);
}

TEST(Answer, RefusesWhatCannotBeAsked) {
  Corpus corpus({"a text"});
  const auto problem = [&](std::string_view clue, const ClueSearch& options) -> std::string {
    try {
      (void)corpus.ask(clue, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(problem("", {}), "the clue is empty");
  EXPECT_EQ(problem(" ,!。", {}), "the clue has no letter and no digit: nothing is left of it without punctuation and white space");
  EXPECT_EQ(problem(std::string((size_t{256} << 20) + 1, 'a'), {}), "the clue has 268435457 bytes; expected at most 268435456");
  EXPECT_EQ(problem("a", {.limit = 0}), "limit is 0; expected at least 1");
  EXPECT_EQ(problem("a", {.max_candidates = 0}), "max_candidates is 0; expected at least 1");
  EXPECT_EQ(problem("a", {.edits = 0.6}), "edits is 0.6; expected at most 0.5");
  EXPECT_EQ(problem(std::string(5000, 'a'), {.edits = 0.1}),
            "the clue has 5000 characters in its normal form; with edits expected at most 4096");
  EXPECT_NE(problem("a", {.mode = Mode::kResembles, .edits = 0.1}), "");
}

TEST(Answer, StopsWhenAsked) {
  Corpus corpus(make_texts(15, 200));
  EXPECT_THROW((void)corpus.ask("the people of the river", {.scan = true, .stop = [] { return true; }}), Error);
}

}  // namespace
}  // namespace neardup
