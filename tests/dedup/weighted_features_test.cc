// Verification of MinHash candidates by weighted features, against the slow twin: exact and LSH, small and large groups.
#include <gtest/gtest.h>

#include <span>

#include "neardup/error.h"
#include "support/band_oracle.h"
#include "support/candidate_run.h"
#include "support/corpus.h"
#include "support/group_solvers.h"
#include "support/verdicts.h"
#include "support/weighted_oracle.h"

namespace neardup {
namespace {

using testing::BandOracle;
using testing::CandidateRun;
using testing::CorpusShape;
using testing::expect_equal_solvers;
using testing::expect_verdicts;
using testing::input_order;
using testing::make_corpus;
using testing::Oracle;
using testing::views;
using testing::WeightedOracle;

const CorpusShape kWeightedShapes[] = {
    {},
    {.originals = 20, .words = 12, .vocabulary = 4, .max_copies = 6, .edit_rate = 0.2, .boilerplate = 0},     // shingles repeat
    {.originals = 5, .words = 80, .vocabulary = 900, .max_copies = 60, .edit_rate = 0.06, .boilerplate = 0},  // large groups
    {.originals = 60, .words = 30, .vocabulary = 900, .max_copies = 2, .edit_rate = 0.1, .boilerplate = 90},  // shingles of all texts
};

Options weighted_options(Verify verify, Search search, uint32_t millionths, const char* recipe = "words-5") {
  Options options;
  options.recipe = recipe;
  options.verify = verify;
  options.search = search;
  options.threshold = Threshold::from_millionths(millionths);
  options.threads = 2;
  if (search == Search::kLsh) {
    options.bands = 16;
    options.rows_per_band = 3;
  }
  return options;
}

constexpr Verify kMeasures[] = {Verify::kCosine, Verify::kWeightedJaccard};

TEST(WeightedFeatures, PairsEqualTheOracle) {
  size_t found = 0;
  for (const Verify verify : kMeasures) {
    for (const char* recipe : {"words-5", "chars-5"}) {
      for (const CorpusShape& shape : std::span(kWeightedShapes).first(recipe[0] == 'w' ? 4 : 2)) {  // the slow twin is slow
        const auto texts = make_corpus(1, shape);
        const Options options = weighted_options(verify, Search::kExact, 450'000, recipe);
        const auto expected = WeightedOracle(views(texts), Recipe::load(recipe), options.threshold, verify).pairs();
        const auto got = pair_texts(views(texts), options);
        ASSERT_EQ(expected.size(), got.size());
        for (size_t i = 0; i < got.size(); ++i) {
          ASSERT_EQ(expected[i].a, got[i].a);
          ASSERT_EQ(expected[i].b, got[i].b);
          ASSERT_EQ(expected[i].similarity, got[i].similarity);
        }
        found += got.size();
      }
    }
  }
  EXPECT_GT(found, 1000u);
}

TEST(WeightedFeatures, LshEqualsTheOracleOverPairsThatShareABand) {
  size_t differs_from_sets = 0;
  for (const Verify verify : kMeasures) {
    for (const CorpusShape& shape : kWeightedShapes) {
      for (uint64_t seed = 1; seed <= 3; ++seed) {
        const auto texts = make_corpus(seed, shape);
        Options options = weighted_options(verify, Search::kLsh, 500'000);
        const Recipe recipe = Recipe::load("words-5");
        const WeightedOracle oracle(views(texts), recipe, options.threshold, verify);
        const BandOracle shares_band(views(texts), recipe, {options.bands, options.rows_per_band});
        const auto expected = oracle.scan(input_order(texts.size()), shares_band);
        expect_verdicts(expected, dedup_texts(views(texts), options));
        // Slices have the weights of the whole corpus.
        options.batch = 7;
        expect_verdicts(expected, dedup_texts(views(texts), options));
        const auto of_sets = Oracle(views(texts), recipe, options.threshold).scan(input_order(texts.size()), shares_band);
        for (size_t i = 0; i < texts.size(); ++i) differs_from_sets += static_cast<size_t>(of_sets[i].keep != expected[i].keep);
      }
    }
  }
  EXPECT_GT(differs_from_sets, 20u) << "weights must matter";
}

TEST(WeightedFeatures, ComponentsEqualTheTransitiveClosure) {
  for (const Verify verify : kMeasures) {
    for (const CorpusShape& shape : kWeightedShapes) {
      const auto texts = make_corpus(2, shape);
      Options options = weighted_options(verify, Search::kExact, 600'000);
      options.cluster = Cluster::kComponents;
      const WeightedOracle oracle(views(texts), Recipe::load("words-5"), options.threshold, verify);
      const auto label = oracle.components();
      const auto verdicts = dedup_texts(views(texts), options);
      for (size_t i = 0; i < texts.size(); ++i) {
        ASSERT_EQ(label[i] == i, verdicts[i].decision == Decision::kKeep) << i;
        if (label[i] == i) continue;
        ASSERT_EQ(label[i], verdicts[i].keeper);
      }
    }
  }
}

TEST(WeightedFeatures, SmallAndLargeGroupSolversAgree) {
  for (const Verify verify : kMeasures) {
    for (const CorpusShape& shape : kWeightedShapes) {
      const auto texts = make_corpus(3, shape);
      const auto source_views = views(texts);
      const auto source = make_text_source(source_views);
      for (const Cluster cluster : {Cluster::kScan, Cluster::kComponents}) {
        const CandidateRun run(weighted_options(verify, Search::kLsh, 600'000), *source);
        expect_equal_solvers(run, cluster);
      }
    }
  }
}

TEST(WeightedFeatures, ThreadsDoNotMatter) {
  const auto texts =
      make_corpus(77, {.originals = 200, .words = 60, .vocabulary = 300, .max_copies = 8, .edit_rate = 0.05, .boilerplate = 20});
  for (const Verify verify : kMeasures) {
    Options options = weighted_options(verify, Search::kLsh, 700'000);
    options.threads = 1;
    const auto expected = dedup_texts(views(texts), options);
    for (const uint32_t threads : {2u, 7u}) {
      options.threads = threads;
      const auto got = dedup_texts(views(texts), options);
      for (size_t i = 0; i < texts.size(); ++i) {
        ASSERT_EQ(expected[i].decision, got[i].decision);
        ASSERT_EQ(expected[i].keeper, got[i].keeper);
        ASSERT_EQ(expected[i].similarity, got[i].similarity);
      }
    }
  }
}

}  // namespace
}  // namespace neardup
