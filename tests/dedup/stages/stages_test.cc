// Runs in stages against the run on one machine: the same verdicts, whatever the tasks, the parts, the order of blobs and the memory.
#include "neardup/tools/stages.h"

#include <gtest/gtest.h>

#include "neardup/error.h"
#include "neardup/texts.h"
#include "support/corpus.h"
#include "support/staged_run.h"

namespace neardup {
namespace {

using testing::CorpusShape;
using testing::make_corpus;
using testing::StagedRun;
using testing::StagedShape;
using testing::views;

const CorpusShape kStageShapes[] = {
    {},
    {.originals = 30, .words = 12, .vocabulary = 8, .max_copies = 6, .edit_rate = 0.2, .boilerplate = 0},      // short, chance matches
    {.originals = 4, .words = 80, .vocabulary = 900, .max_copies = 300, .edit_rate = 0.06, .boilerplate = 0},  // groups above 256
    {.originals = 250, .words = 12, .vocabulary = 900, .max_copies = 4, .edit_rate = 0.1, .boilerplate = 60},  // one group of all
};

// Near-duplicates of one text, which fingerprints connect, too.
const CorpusShape kOneFamily{.originals = 1, .words = 90, .vocabulary = 9000, .max_copies = 900, .edit_rate = 0.03, .boilerplate = 0};

Options stage_options(const char* recipe, Verify verify = Verify::kTrue, Cluster cluster = Cluster::kScan) {
  Options options;
  options.recipe = recipe;
  options.verify = verify;
  options.cluster = cluster;
  if (std::string_view(recipe).find("simhash") != std::string_view::npos) options.max_distance = 7;
  options.threshold = Threshold::from_millionths(700'000);
  return options;
}

std::vector<Options> stage_jobs() {
  Options banded = stage_options("words-5");
  banded.bands = 12;
  banded.rows_per_band = 4;
  Options long_texts = stage_options("chars-5");
  long_texts.min_length = 60;
  return {stage_options("words-5"),
          banded,
          long_texts,
          stage_options("words-5", Verify::kFalse),
          stage_options("words-5", Verify::kFalse, Cluster::kComponents),
          stage_options("words-5", Verify::kTrue, Cluster::kComponents),
          stage_options("simhash-chars-4"),
          stage_options("simhash-chars-4", Verify::kJaccard),
          stage_options("simhash-chars-4", Verify::kTrue, Cluster::kComponents),
          stage_options("python-simhash-text")};
}

void expect_same_verdicts(const std::vector<TextVerdict>& expected, const std::vector<TextVerdict>& got) {
  ASSERT_EQ(expected.size(), got.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(expected[i].decision, got[i].decision) << "text " << i;
    ASSERT_EQ(expected[i].reason, got[i].reason) << "text " << i;
    if (expected[i].decision == Decision::kKeep) continue;
    ASSERT_EQ(expected[i].keeper, got[i].keeper) << "text " << i;
    ASSERT_EQ(expected[i].similarity, got[i].similarity) << "text " << i;
  }
}

TEST(Stages, GiveWhatOneMachineGives) {
  const StagedShape shapes[] = {{.seed = 1, .tasks = 1, .parts = 1},
                                {.seed = 2, .tasks = 3, .parts = 7, .narrow = false},
                                {.seed = 3, .tasks = 5, .parts = 64, .memory = kMinStageMemory, .stars = true}};
  for (const CorpusShape& corpus : kStageShapes) {
    const auto texts = make_corpus(31, corpus);
    for (const Options& options : stage_jobs()) {
      Summary summary;
      const auto expected = dedup_texts(views(texts), options, &summary);
      for (const StagedShape& shape : shapes) {
        StagedRun run(options, shape);
        expect_same_verdicts(expected, run.run(views(texts)));
        if (HasFatalFailure())
          FAIL() << options.recipe << ", verify " << static_cast<int>(options.verify) << ", cluster " << static_cast<int>(options.cluster)
                 << ", parts " << shape.parts << ", originals " << corpus.originals;
        EXPECT_FALSE(run.doubles);
        EXPECT_LE(run.rounds, 1u);
        EXPECT_EQ(run.capped, summary.capped_documents);
        EXPECT_EQ(run.counts.documents, texts.size());
        EXPECT_EQ(run.counts.short_texts, summary.short_texts);
        EXPECT_EQ(run.counts.text_bytes, summary.text_bytes);
      }
    }
  }
}

// Groups that exceed the memory are decided block by block.
TEST(Stages, GiveTheSameInRounds) {
  for (Options options : stage_jobs()) {
    if (options.cluster == Cluster::kComponents) continue;
    options.max_candidates = 0;
    uint32_t most_rounds = 0;
    for (const CorpusShape& corpus : {kStageShapes[2], kStageShapes[3], kOneFamily}) {
      const auto texts = make_corpus(32, corpus);
      const auto expected = dedup_texts(views(texts), options);
      for (const uint64_t memory : {kMinStageMemory, uint64_t{300'000}}) {
        StagedRun run(options, {.seed = memory, .parts = 3, .decide_memory = memory});
        expect_same_verdicts(expected, run.run(views(texts)));
        if (HasFatalFailure()) FAIL() << options.recipe << ", verify " << static_cast<int>(options.verify) << ", memory " << memory;
        EXPECT_FALSE(run.doubles);
        most_rounds = std::max(most_rounds, run.rounds);
      }
    }
    EXPECT_GE(most_rounds, 2u) << options.recipe << ", verify " << static_cast<int>(options.verify);
  }
}

TEST(Stages, RefuseComponentsOfAGroupAboveTheMemory) {
  const auto texts = make_corpus(33, kOneFamily);
  StagedRun run(stage_options("words-5", Verify::kTrue, Cluster::kComponents), {.decide_memory = kMinStageMemory});
  try {
    run.run(views(texts));
    FAIL() << "of " << texts.size() << " texts";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResource);
    EXPECT_NE(std::string_view(error.what()).find("cluster 'components': the group of root 5"), std::string_view::npos) << error.what();
  }
}

// Rows of a group meet the cap in one task as they do on one machine.
TEST(Stages, CountCaps) {
  const auto texts = make_corpus(34, kStageShapes[3]);
  Options options = stage_options("words-5");
  options.max_candidates = 3;
  Summary summary;
  const auto expected = dedup_texts(views(texts), options, &summary);
  EXPECT_GT(summary.capped_documents, 0u);
  StagedRun run(options, {});
  expect_same_verdicts(expected, run.run(views(texts)));
  EXPECT_EQ(run.capped, summary.capped_documents);
}

}  // namespace
}  // namespace neardup
