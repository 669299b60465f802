// The engine against the naive sequential oracle: scan rule, components and pairs, exact and LSH, small and large groups.
#include <gtest/gtest.h>

#include "index/lsh/band_keys.h"
#include "neardup/error.h"
#include "support/band_oracle.h"
#include "support/candidate_run.h"
#include "support/corpus.h"
#include "support/group_solvers.h"
#include "support/oracle.h"
#include "support/verdicts.h"

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

const CorpusShape kRuleShapes[] = {
    {},
    {.originals = 20, .words = 12, .vocabulary = 8, .max_copies = 6, .edit_rate = 0.2, .boilerplate = 0},     // tiny vocabulary: chance
                                                                                                              // matches
    {.originals = 5, .words = 80, .vocabulary = 900, .max_copies = 60, .edit_rate = 0.06, .boilerplate = 0},  // large groups
    {.originals = 80, .words = 30, .vocabulary = 900, .max_copies = 2, .edit_rate = 0.1, .boilerplate = 90},  // everything shares
                                                                                                              // boilerplate
};
constexpr uint64_t kRuleSeeds = 6;

Options options_for(Search search, const char* recipe, uint32_t millionths) {
  Options options;
  options.recipe = recipe;
  options.search = search;
  options.threshold = Threshold::from_millionths(millionths);
  options.threads = 2;
  return options;
}

TEST(ScanRule, ExactSearchEqualsTheOracle) {
  for (const char* recipe : {"words-5", "chars-5"}) {
    for (const CorpusShape& shape : kRuleShapes) {
      for (uint64_t seed = 1; seed <= kRuleSeeds; ++seed) {
        const auto texts = make_corpus(seed, shape);
        const Options options = options_for(Search::kExact, recipe, 600'000 + 50'000 * static_cast<uint32_t>(seed % 4));
        const Oracle oracle(views(texts), Recipe::load(recipe), options.threshold);
        Summary summary;
        const auto verdicts = dedup_texts(views(texts), options, &summary);
        expect_verdicts(oracle.scan(input_order(texts.size())), verdicts);
        EXPECT_EQ(summary.read, summary.kept + summary.removed + summary.rejected);
        EXPECT_EQ(summary.read, texts.size());
      }
    }
  }
}

TEST(ScanRule, LshEqualsTheOracleOverPairsThatShareABand) {
  for (const CorpusShape& shape : kRuleShapes) {
    for (uint64_t seed = 1; seed <= kRuleSeeds; ++seed) {
      const auto texts = make_corpus(seed, shape);
      Options options = options_for(Search::kLsh, "words-5", 700'000);
      options.bands = 8;  // few enough to miss pairs, so that the test sees the band rule
      options.rows_per_band = 6;
      const Oracle oracle(views(texts), Recipe::load("words-5"), options.threshold);
      const BandOracle shares_band(views(texts), Recipe::load("words-5"), {8, 6});
      expect_verdicts(oracle.scan(input_order(texts.size()), shares_band), dedup_texts(views(texts), options));
    }
  }
}

TEST(ScanRule, SmallAndLargeGroupSolversAgree) {
  for (const CorpusShape& shape : kRuleShapes) {
    for (uint64_t seed = 1; seed <= kRuleSeeds; ++seed) {
      const auto texts = make_corpus(seed, shape);
      const auto source_views = views(texts);
      const auto source = make_text_source(source_views);
      for (const Cluster cluster : {Cluster::kScan, Cluster::kComponents}) {
        const CandidateRun run(options_for(Search::kLsh, "words-5", 700'000), *source);
        expect_equal_solvers(run, cluster);
      }
    }
  }
}

TEST(ScanRule, PairsEqualTheFlatJoin) {
  for (const char* recipe : {"words-5", "chars-5"}) {
    for (const CorpusShape& shape : kRuleShapes) {
      for (uint64_t seed = 1; seed <= kRuleSeeds; ++seed) {
        const auto texts = make_corpus(seed, shape);
        const Options options = options_for(Search::kExact, recipe, 500'000);
        const auto expected = Oracle(views(texts), Recipe::load(recipe), options.threshold).pairs();
        const auto got = pair_texts(views(texts), options);
        ASSERT_EQ(expected.size(), got.size());
        for (size_t i = 0; i < got.size(); ++i) {
          ASSERT_EQ(expected[i].a, got[i].a);
          ASSERT_EQ(expected[i].b, got[i].b);
          ASSERT_EQ(expected[i].similarity, got[i].similarity);
        }
      }
    }
  }
}

TEST(ScanRule, ComponentsEqualTheTransitiveClosure) {
  for (const CorpusShape& shape : kRuleShapes) {
    for (uint64_t seed = 1; seed <= kRuleSeeds; ++seed) {
      const auto texts = make_corpus(seed, shape);
      Options options = options_for(Search::kExact, "words-5", 700'000);
      options.cluster = Cluster::kComponents;
      const Oracle oracle(views(texts), Recipe::load("words-5"), options.threshold);
      const auto label = oracle.components();
      const auto verdicts = dedup_texts(views(texts), options);
      for (size_t i = 0; i < texts.size(); ++i) {
        EXPECT_EQ(label[i] == i, verdicts[i].decision == Decision::kKeep) << i;
        if (label[i] == i) continue;
        EXPECT_EQ(label[i], verdicts[i].keeper);
        EXPECT_EQ(verdicts[i].reason == Reason::kConnected, !oracle.match(i, label[i]).has_value());
      }
    }
  }
}

TEST(ScanRule, KeepPoliciesOrderTheScan) {
  for (const char* keep : {"first", "last", "longest", "shortest", "source-order", "source-order,longest", "longest,last"}) {
    for (uint64_t seed = 1; seed <= kRuleSeeds; ++seed) {
      const auto texts = make_corpus(seed, kRuleShapes[0]);
      auto order = input_order(texts.size());
      const std::string_view policy = keep;
      const bool backwards = policy.ends_with("last");
      if (backwards) std::reverse(order.begin(), order.end());
      std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        if (policy.find("longest") != policy.npos) return texts[a].size() > texts[b].size();
        if (policy.find("shortest") != policy.npos) return texts[a].size() < texts[b].size();
        return false;
      });
      Options options = options_for(Search::kExact, "words-5", 700'000);
      options.keep = keep;
      const Oracle oracle(views(texts), Recipe::load("words-5"), options.threshold);
      expect_verdicts(oracle.scan(order), dedup_texts(views(texts), options));
    }
  }
}

TEST(ScanRule, ThreadsDoNotMatter) {
  const auto texts =
      make_corpus(77, {.originals = 300, .words = 60, .vocabulary = 300, .max_copies = 8, .edit_rate = 0.05, .boilerplate = 20});
  Options options = options_for(Search::kLsh, "words-5", 700'000);
  for (const Cluster cluster : {Cluster::kScan, Cluster::kComponents}) {
    options.cluster = cluster;
    options.threads = 1;
    const auto expected = dedup_texts(views(texts), options);
    for (const uint32_t threads : {2u, 4u, 7u}) {
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

TEST(ScanRule, WithoutVerificationEverySharedBandMatches) {
  const auto texts = make_corpus(5, kRuleShapes[2]);
  Options options = options_for(Search::kLsh, "words-5", 700'000);
  options.verify = Verify::kFalse;
  options.bands = 8;
  options.rows_per_band = 6;
  const BandOracle shares_band(views(texts), Recipe::load("words-5"), {8, 6});
  const auto verdicts = dedup_texts(views(texts), options);
  size_t removed = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (verdicts[i].reason != Reason::kUnverified) continue;
    ++removed;
    EXPECT_TRUE(shares_band(i, verdicts[i].keeper));
    EXPECT_GT(verdicts[i].similarity, 0);
    for (size_t keeper = 0; keeper < verdicts[i].keeper; ++keeper) {
      EXPECT_FALSE(verdicts[keeper].decision == Decision::kKeep && verdicts[keeper].reason != Reason::kShort && shares_band(i, keeper));
    }
  }
  EXPECT_GT(removed, 20u);
}

TEST(ScanRule, TheCandidateCapIsCounted) {
  const auto texts = make_corpus(3, {.originals = 400, .words = 14, .vocabulary = 60, .max_copies = 0, .edit_rate = 0, .boilerplate = 60});
  Options options = options_for(Search::kLsh, "words-5", 900'000);
  options.bands = 64;
  options.rows_per_band = 1;
  options.max_candidates = 1;
  Summary summary;
  dedup_texts(views(texts), options, &summary);
  EXPECT_GT(summary.largest_group, kSmallGroup);
  EXPECT_GT(summary.capped_documents, 0u);
  options.max_candidates = 0;
  dedup_texts(views(texts), options, &summary);
  EXPECT_EQ(summary.capped_documents, 0u);
}

TEST(ScanRule, ContradictoryOptionsAreRefused) {
  Options options = options_for(Search::kExact, "words-5", 700'000);
  options.verify = Verify::kFalse;
  EXPECT_THROW(dedup_texts({}, options), Error);
  options = options_for(Search::kLsh, "words-5", 700'000);
  options.bands = 30;
  EXPECT_THROW(dedup_texts({}, options), Error);
  options.rows_per_band = 30;
  EXPECT_THROW(dedup_texts({}, options), Error);
}

}  // namespace
}  // namespace neardup
