#include "neardup/tools/neighbour_sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "neardup/error.h"
#include "neardup/sketcher.h"
#include "neardup/texts.h"

namespace neardup {
namespace {

using NeighbourRow = std::tuple<uint64_t, uint64_t, uint32_t>;  // sampled, other, similarity

std::vector<std::string> resembling_texts(std::mt19937_64& random, size_t count) {
  std::vector<std::string> texts;
  while (texts.size() < count) {
    std::vector<std::string> words;
    for (int i = 0; i < 30; ++i) words.push_back("w" + std::to_string(random() % 300));
    for (uint64_t copies = 1 + random() % 6; copies > 0 && texts.size() < count; --copies) {
      for (uint64_t edits = random() % 4; edits > 0; --edits) words[random() % words.size()] = "x" + std::to_string(random() % 300);
      std::string text;
      for (const std::string& word : words) text += word + " ";
      texts.push_back(random() % 10 == 0 ? "short" : text);
    }
  }
  return texts;
}

std::vector<NeighbourRow> found_neighbours(const std::vector<std::string>& texts, Options options, uint32_t sample, uint32_t threads,
                                           std::vector<DocumentId>& places) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto source = make_text_source(views);
  NeighbourRun run;
  run.source = source.get();
  run.sample = sample;
  options.threads = threads;
  std::vector<NeighbourRow> rows;
  places = for_each_neighbour(options, run, [&](const Neighbour& n) { rows.emplace_back(n.of.row, n.other.row, n.similarity_millionths); });
  return rows;
}

TEST(NeighbourSample, AgreesWithAllPairs) {
  std::mt19937_64 random(4);
  for (const double threshold : {0.3, 0.6, 0.8, 1.0}) {
    for (const std::string recipe : {"words-5", "chars-5", "record-words-1"}) {
      const std::vector<std::string> texts = resembling_texts(random, 150);
      Options options;
      options.recipe = recipe;
      options.threshold = threshold;
      std::vector<DocumentId> places;
      std::vector<NeighbourRow> rows = found_neighbours(texts, options, 40, 1, places);
      std::vector<DocumentId> again;
      EXPECT_EQ(found_neighbours(texts, options, 40, 4, again), rows);
      EXPECT_EQ(again, places);
      ASSERT_EQ(places.size(), 40u);
      EXPECT_TRUE(std::ranges::is_sorted(places));

      const Sketcher sketcher(Recipe::load(recipe));
      Sketcher::Scratch scratch;
      std::vector<ExactHash> exact;
      std::vector<std::vector<uint64_t>> features;
      for (const std::string& text : texts) {
        exact.push_back(sketcher.exact(text, scratch).exact);
        const auto made = sketcher.features(text, scratch);
        features.emplace_back(made.begin(), made.end());
      }
      std::vector<NeighbourRow> expected;
      for (const DocumentId& of : places) {
        for (uint64_t other = 1; other <= texts.size(); ++other) {
          if (other == of.row) continue;
          if (exact[of.row - 1] == exact[other - 1]) {
            expected.emplace_back(of.row, other, 1'000'000);
            continue;
          }
          const std::vector<uint64_t>& a = features[of.row - 1];
          const std::vector<uint64_t>& b = features[other - 1];
          std::vector<uint64_t> common;
          std::ranges::set_intersection(a, b, std::back_inserter(common));
          const uint64_t all = a.size() + b.size() - common.size();
          if (common.empty() || common.size() * 1'000'000 < all * options.threshold.millionths()) continue;
          expected.emplace_back(of.row, other, static_cast<uint32_t>(common.size() * 1'000'000 / all));
        }
      }
      std::ranges::sort(expected);
      std::ranges::sort(rows);
      EXPECT_EQ(rows, expected) << recipe << " " << threshold;
    }
  }
}

TEST(NeighbourSample, ShortTextsMatchCopiesOnly) {
  const std::string text = "one two three four five six seven eight nine ten eleven twelve";  // 62 characters
  const std::vector<std::string> texts{text, text + " 13", text, text + " 14"};
  const auto count = [&](uint64_t min_length) {
    Options options;
    options.threshold = 0.5;
    options.min_length = min_length;
    std::vector<DocumentId> places;
    return found_neighbours(texts, options, 4, 1, places).size();
  };
  EXPECT_EQ(count(0), 12u);
  EXPECT_EQ(count(62), 12u);
  EXPECT_EQ(count(63), 4u);  // the two copies, and the two longer texts
  EXPECT_EQ(count(66), 2u);
}

TEST(NeighbourSample, DrawsEvenlyAndBySeed) {
  const std::vector<std::string> texts(100, "a text that is the same in all of them");
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::map<uint64_t, int> drawn;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const auto source = make_text_source(views);
    NeighbourRun run;
    run.source = source.get();
    run.sample = 20;
    run.seed = seed;
    uint64_t neighbours = 0;
    for (const DocumentId& where : for_each_neighbour({}, run, [&](const Neighbour&) { ++neighbours; })) ++drawn[where.row];
    EXPECT_EQ(neighbours, 20u * 99);
  }
  EXPECT_EQ(drawn.size(), 100u);  // each is expected 20 times, with a standard deviation of 4
  for (const auto& [row, times] : drawn) EXPECT_NEAR(times, 20, 4.5 * 4) << row;
}

TEST(NeighbourSample, RefusesOtherMeasures) {
  const auto source = make_text_source({});
  NeighbourRun run;
  run.source = source.get();
  Options options;
  options.recipe = "simhash-words-3";
  EXPECT_THROW(for_each_neighbour(options, run, [](const Neighbour&) {}), Error);
  options = {};
  options.measure = Measure::kContainment;
  EXPECT_THROW(for_each_neighbour(options, run, [](const Neighbour&) {}), Error);
}

// 1 is kept for 2; 3 and 4 match 1 but were kept: missed.
DecisionTable table_with_misses() {
  DecisionTable table;
  for (uint64_t row = 1; row <= 10; ++row) {
    const std::string name = std::to_string(row);
    table.add({.where = {0, row}, .name = name, .removed = row == 2, .keeper = {0, 1}, .similarity_millionths = 900'000});
  }
  table.finish();
  return table;
}

TEST(NeighbourScorer, CountsByHand) {
  const DecisionTable table = table_with_misses();
  NeighbourScorer scorer(table);
  const std::vector<DocumentId> sample{{0, 1}, {0, 3}, {0, 7}, {0, 8}, {0, 9}};
  for (const uint64_t other : {2, 3, 4}) scorer.add({0, {0, 1}, {0, other}, 910'000});
  for (const uint64_t other : {1, 4}) scorer.add({1, {0, 3}, {0, other}, 860'000});
  const NeighbourScores scores = scorer.result(sample);
  EXPECT_EQ(scores.pairs, (PairCounts{1, 1, 5}));
  EXPECT_EQ(scores.kept_with_match, 2u);
  EXPECT_DOUBLE_EQ(scores.duplicates_left.value, 4);  // 2 of 5, of 10
  EXPECT_GE(scores.duplicates_left.low, 2);
  EXPECT_LE(scores.duplicates_left.high, 7);       // three of the sample are none
  EXPECT_DOUBLE_EQ(scores.missed_pairs.value, 4);  // (2 + 2) / 5 * 10 / 2
  EXPECT_GE(scores.missed_pairs.low, 2);
  ASSERT_EQ(scores.bands.size(), 2u);
  EXPECT_EQ(scores.bands[0].from, 850'000u);
  EXPECT_EQ(scores.bands[1].truth, 3u);
  EXPECT_EQ(scores.bands[1].truth_found, 1u);
}

TEST(NeighbourScorer, WithoutMissesTheSampleBoundsWhatItOverlooked) {
  const DecisionTable table = table_with_misses();
  const NeighbourScorer scorer(table);
  const NeighbourScores scores = scorer.result({{0, 1}, {0, 3}, {0, 7}, {0, 8}, {0, 9}});
  EXPECT_EQ(scores.missed_pairs.value, 0);
  EXPECT_EQ(scores.missed_pairs.low, 0);
  EXPECT_EQ(scores.missed_pairs.high, 3);  // 3 * 10 / 5 / 2
}

}  // namespace
}  // namespace neardup
