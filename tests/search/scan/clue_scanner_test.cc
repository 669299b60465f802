#include "neardup/tools/clue_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <tuple>

#include "neardup/error.h"
#include "search/answer/answer.h"
#include "search/code_points.h"
#include "search/text_matcher.h"
#include "support/memory_texts.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using Mode = ClueSearch::Mode;

// Few words and characters, so that clues are often close to texts they were not taken from.
std::string some_text(std::mt19937_64& random, size_t words) {
  static constexpr std::string_view kWords[] = {"the", "of",        "River", "people", "law",   "under",
                                                "a",   "Committee", "shall", "time",   "HOUSE", "é"};
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    switch (random() % 12) {
      case 0:
        for (size_t length = random() % 9; length > 0; --length) append_utf8(0x4E00 + static_cast<char32_t>(random() % 40), text);
        break;
      case 1:
        text += "，- ";
        break;
      case 2:
        if (random() % 8 == 0) text.append({static_cast<char>(random()), static_cast<char>(random())});
        break;
      default:
        text.append(kWords[random() % std::size(kWords)]).append(" ");
    }
  }
  return text;
}

std::vector<std::string> some_texts(std::mt19937_64& random, size_t count) {
  std::vector<std::string> texts{"", "...", "a", "of", "人"};
  while (texts.size() < count) {
    std::string text = some_text(random, random() % 120);
    if (random() % 6 == 0) text += texts[random() % texts.size()];
    texts.push_back(text);
  }
  return texts;
}

// A text, or a run of bytes of one, so that code points may be cut; with a few edits.
std::string some_clue(const std::vector<std::string>& texts, std::mt19937_64& random) {
  const std::string& text = texts[random() % texts.size()];
  const size_t length = random() % 3 == 0 ? 1 + random() % 9 : 1 + random() % 90;
  std::string clue = random() % 5 == 0 ? text : text.substr(text.empty() ? 0 : random() % text.size(), length);
  for (uint64_t edits = random() % 4; edits > 0 && clue.size() > 1; --edits)
    clue[random() % clue.size()] = static_cast<char>('a' + random() % 26);
  return clue;
}

bool can_be_asked(const std::string& clue, const ClueMaker& maker) {
  std::string form;
  ClueForm::Scratch scratch;
  maker.form.form(clue, form, scratch);
  return !form.empty();
}

std::vector<std::string> some_clues(const std::vector<std::string>& texts, size_t count, const ClueMaker& maker, std::mt19937_64& random) {
  std::vector<std::string> clues;
  while (clues.size() < count) {
    std::string clue = random() % 20 == 0 && !clues.empty() ? clues[random() % clues.size()] : some_clue(texts, random);
    if (can_be_asked(clue, maker)) clues.push_back(std::move(clue));
  }
  return clues;
}

std::vector<ScanClue> named(const std::vector<std::string>& clues) {
  std::vector<ScanClue> all;
  for (const std::string& clue : clues) all.push_back({"c", clue});
  return all;
}

std::vector<ClueSearch> all_options() {
  std::vector<ClueSearch> all{{}};
  for (const double edits : {0.02, 0.1, 0.25, 0.5}) all.push_back({.edits = edits});
  for (const double threshold : {0.2, 0.8, 1.0}) {
    all.push_back({.mode = Mode::kResembles, .threshold = threshold});
    all.push_back({.mode = Mode::kResembles, .threshold = threshold, .measure = ClueMeasure::kJaccard});
  }
  return all;
}

// The slow twin: every clue is compared with every text.
TEST(ClueScanner, EqualsTheMatcherForEveryClueAndText) {
  std::mt19937_64 random(81);
  for (const bool fold_han : {false, true}) {
    const ClueRecipe recipe{.fold_han = fold_han};
    const ClueMaker maker(recipe);
    const std::vector<std::string> texts = some_texts(random, 150);
    const std::vector<std::string> clues = some_clues(texts, 160, maker, random);
    for (const ClueSearch& options : all_options()) {
      const ClueScanner scanner(named(clues), recipe, options);
      ASSERT_EQ(scanner.size(), clues.size());
      std::vector<Clue> asked;
      for (const std::string& clue : clues) asked.emplace_back(maker, clue, options);
      ClueScanner::Scratch scratch(scanner);
      SearchWorker worker;
      std::vector<ScanMatch> matches{{}};
      size_t found = 0;
      for (const std::string& text : texts) {
        scanner.scan(text, scratch, matches);
        found += matches.size();
        auto match = matches.begin();
        for (uint32_t clue = 0; clue < clues.size(); ++clue) {
          const TextMatcher matcher(asked[clue]);
          const auto expected = matcher.match(text, worker);
          ASSERT_EQ(expected.has_value(), match != matches.end() && match->clue == clue) << clues[clue] << " | " << text;
          if (!expected) continue;
          EXPECT_EQ(match->edits, expected->edits);
          EXPECT_EQ(match->overlap.common, expected->overlap.common);
          EXPECT_EQ(match->overlap.size_a, expected->overlap.size_a);
          EXPECT_EQ(match->overlap.size_b, expected->overlap.size_b);
          EXPECT_EQ(match->order, matcher.order(*expected));
          ++match;
        }
        EXPECT_EQ(match, matches.end());
      }
      EXPECT_GT(found, 0u);
    }
  }
}

// Edits that leave only a piece of the clue, anywhere in it and at the ends of the text.
TEST(ClueScanner, FindsClosePassagesAtTheEndsOfTexts) {
  std::mt19937_64 random(82);
  const ClueMaker maker({});
  for (int trial = 0; trial < 400; ++trial) {
    std::string clue;
    const bool wide = trial % 2 == 0;
    for (size_t length = 20 + random() % 60; length > 0; --length) {
      append_utf8(wide ? 0x4E00 + static_cast<char32_t>(random() % 2000) : U'a' + static_cast<char32_t>(random() % 26), clue);
    }
    const ClueSearch options{.edits = 0.1};
    const Clue asked(maker, clue, options);
    std::vector<char32_t> points = asked.points();
    for (uint32_t edits = asked.max_edits(); edits > 0; --edits) {
      const auto at = points.begin() + static_cast<ptrdiff_t>(random() % points.size());
      if (random() % 3 == 0) {
        points.erase(at);
      } else if (random() % 2 == 0) {
        points.insert(at, U'0');
      } else {
        *at = U'1';
      }
    }
    std::string text;
    for (const char32_t c : points) append_utf8(c, text);
    if (trial % 3 == 0) text = "2" + text + "3";
    const std::vector<std::string> clues{clue};
    const ClueScanner scanner(named(clues), {}, options);
    ClueScanner::Scratch scratch(scanner);
    std::vector<ScanMatch> matches;
    scanner.scan(text, scratch, matches);
    ASSERT_EQ(matches.size(), 1u) << clue << " | " << text;
    EXPECT_LE(matches[0].edits, asked.max_edits());
  }
}

void expect_same(const ClueHit& a, const ClueHit& b) {
  EXPECT_EQ(a.begin, b.begin);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.begin_character, b.begin_character);
  EXPECT_EQ(a.end_character, b.end_character);
  EXPECT_EQ(a.text_bytes, b.text_bytes);
  EXPECT_EQ(a.occurrences, b.occurrences);
  EXPECT_EQ(a.edits, b.edits);
  EXPECT_EQ(a.overlap.common, b.overlap.common);
  EXPECT_EQ(a.overlap.size_b, b.overlap.size_b);
  EXPECT_EQ(a.similarity, b.similarity);
  EXPECT_EQ(a.passage, b.passage);
  EXPECT_EQ(a.differences, b.differences);
}

std::string id_of(size_t number) {
  return {static_cast<char>(number >> 8), static_cast<char>(number)};
}

// The hits of some parts of a corpus, joined, are those of a scan of an index, whatever the parts, the order of texts and the moments at
// which hits are taken.
TEST(ScanHits, EqualTheScanOfAnIndex) {
  std::mt19937_64 random(83);
  const ClueMaker maker({});
  const std::vector<std::string> texts = some_texts(random, 250);
  const SearchView view = testing::make_view(texts, 2, maker);
  const std::vector<std::string> clues = some_clues(texts, 60, maker, random);
  std::vector<SearchWorker> workers;
  for (ClueSearch options : all_options()) {
    for (const uint64_t limit : {uint64_t{1}, uint64_t{4}, uint64_t{1000}}) {
      options.limit = limit;
      const ClueScanner scanner(named(clues), {}, options);
      std::vector<size_t> order(texts.size());
      for (size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::ranges::shuffle(order, random);
      std::vector<ScanHits::Found> found;
      std::vector<uint64_t> counts(clues.size());
      std::vector<ScanHits> parts;
      for (int i = 0; i < 3; ++i) parts.emplace_back(scanner);
      for (const size_t text : order) {
        ScanHits& part = parts[random() % parts.size()];
        part.add(id_of(text), texts[text]);
        if (random() % 40 > 0) continue;
        part.take(found);
        EXPECT_EQ(part.held_bytes(), 0u);
      }
      for (ScanHits& part : parts) {
        part.take(found);
        for (size_t clue = 0; clue < clues.size(); ++clue) counts[clue] += part.counts()[clue];
      }
      std::ranges::sort(found, {}, [](const ScanHits::Found& each) { return std::tie(each.clue, each.order, each.id); });
      auto first = found.begin();
      ClueSearch scanning = options;
      scanning.scan = true;
      for (uint32_t clue = 0; clue < clues.size(); ++clue) {
        const ClueAnswer answer = answer_question(view, maker, clues[clue], scanning, workers);
        EXPECT_EQ(counts[clue], answer.count);
        EXPECT_EQ(counts[clue] > limit, answer.more);
        const auto last = std::find_if(first, found.end(), [clue](const ScanHits::Found& each) { return each.clue != clue; });
        ASSERT_GE(static_cast<size_t>(last - first), answer.hits.size());
        for (const ClueHit& hit : answer.hits) {
          EXPECT_EQ(first->id, id_of(hit.id)) << clues[clue];
          expect_same(first->hit, hit);
          ++first;
        }
        first = last;
      }
    }
  }
}

TEST(ScanHits, OnlyCount) {
  const std::vector<std::string> clues{"a clue", "another", "none"};
  const ClueScanner scanner(named(clues), {}, {.count_only = true});
  ScanHits hits(scanner);
  for (const char* text : {"a clue, another", "A CLUE", ""}) hits.add("id", text);
  std::vector<ScanHits::Found> found;
  hits.take(found);
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(std::vector<uint64_t>(hits.counts().begin(), hits.counts().end()), (std::vector<uint64_t>{2, 1, 0}));
}

// Numbers that say which match comes first agree with the comparison of fractions.
TEST(TextMatcher, OrdersAsItCompares) {
  std::mt19937_64 random(84);
  const ClueMaker maker({});
  for (const ClueMeasure measure : {ClueMeasure::kContainment, ClueMeasure::kJaccard}) {
    const ClueSearch options{.mode = Mode::kResembles, .measure = measure};
    const Clue clue(maker, "the clue of this test", options);
    const TextMatcher matcher(clue);
    const uint32_t size_a = 1'000'000'007;
    const auto any = [&] {
      const auto common = static_cast<uint32_t>(size_a - random() % 4);
      return FoundText{.match = {.overlap = {.common = common, .size_a = size_a, .size_b = static_cast<uint32_t>(common + random() % 4)}}};
    };
    for (int trial = 0; trial < 2000; ++trial) {
      const FoundText a = any();
      const FoundText b = any();
      EXPECT_EQ(matcher.before(a, b), matcher.order(a.match) < matcher.order(b.match));
      EXPECT_GE(matcher.order(a.match), 0);
    }
  }
}

std::string problem_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "no error";
}

TEST(ClueScanner, NamesTheClueThatCannotBeAsked) {
  const std::vector<ScanClue> clues{{"good", "a clue"}, {"bad", "..."}};
  EXPECT_TRUE(problem_of([&] { ClueScanner(clues, {}, {}); }).starts_with("clue 'bad': the clue has no letter"));
  const std::string long_text = std::string(ClueSearch::kMaxEditedCharacters, 'x') + "y";
  const std::vector<ScanClue> long_clue{{"long", long_text}};
  EXPECT_TRUE(problem_of([&] { ClueScanner(long_clue, {}, {.edits = 0.1}); }).starts_with("clue 'long': the clue has 4097 characters"));
  const std::vector<ScanClue> many(ClueScanner::kMaxClues + 1, clues[0]);
  EXPECT_EQ(problem_of([&] { ClueScanner(many, {}, {}); }), "there are 1048577 clues; expected at most 1048576");
  const ClueScanner none({}, {}, {});
  ClueScanner::Scratch scratch(none);
  std::vector<ScanMatch> matches{{}};
  none.scan("any text", scratch, matches);
  EXPECT_TRUE(matches.empty());
}

}  // namespace
}  // namespace neardup
