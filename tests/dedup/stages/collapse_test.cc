#include "dedup/stages/collapse.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "dedup/stages/blob_format.h"
#include "neardup/error.h"
#include "support/corpus.h"
#include "support/staged_run.h"

namespace neardup {
namespace {

using testing::make_corpus;
using testing::StagedRun;
using testing::views;

// Packs texts of given ranks.
StagedRun::Blobs packed(const Stages& stages, const std::vector<RankedText>& texts, uint32_t parts, bool narrow = true) {
  const auto stage = stages.pack(parts, narrow);
  for (const RankedText& text : texts) stage->add(text);
  StagedRun::Blobs blobs;
  stage->finish(blobs);
  return blobs;
}

std::string problem_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    return error.what();
  }
  return "none";
}

// Copies and short texts by a map of the normalized texts.
TEST(Collapse, LetsTheFirstOfEqualTextsStandForAll) {
  const auto texts = make_corpus(81, {.originals = 200, .words = 9, .vocabulary = 12, .max_copies = 6, .edit_rate = 0.05});
  const Options options;
  const StageSettings settings(options);
  Sketcher::Scratch scratch;
  std::map<std::string, size_t> first;
  std::map<int64_t, int64_t> copies;
  std::set<int64_t> shorts;
  for (const uint64_t memory : {kMinStageMemory, uint64_t{256'000'000}}) {
    StagedRun run(options, {.parts = 6, .memory = memory});
    first.clear();
    for (size_t i = 0; i < texts.size(); ++i) {
      const auto [at, is_new] = first.emplace(settings.sketcher().normalize(texts[i], scratch), i);
      if (!is_new) {
        copies[run.rank_of(i)] = run.rank_of(at->second);
      } else if (settings.sketcher().exact(texts[i], scratch).too_short) {
        shorts.insert(run.rank_of(i));
      }
    }
    const auto blobs = run.collapse(run.pack(views(texts)));
    const auto [ranks, firsts] = run.stages.ranks(BlobKind::kCopies, StagedRun::of_kind(blobs, BlobKind::kCopies));
    std::map<int64_t, int64_t> found;
    for (size_t i = 0; i < ranks.size(); ++i) EXPECT_TRUE(found.emplace(ranks[i], firsts[i]).second);
    EXPECT_EQ(found, copies);
    const auto found_shorts = run.stages.ranks(BlobKind::kShorts, StagedRun::of_kind(blobs, BlobKind::kShorts)).first;
    EXPECT_EQ(std::set<int64_t>(found_shorts.begin(), found_shorts.end()), shorts);
    EXPECT_EQ(found_shorts.size(), shorts.size());
    EXPECT_GT(copies.size(), 50u);
    EXPECT_GT(shorts.size(), 5u);
    EXPECT_EQ(run.stages.count_records(StagedRun::of_kind(blobs, BlobKind::kKeys)),
              (texts.size() - copies.size() - shorts.size()) * settings.sections());
  }
}

TEST(Collapse, RefusesIdsThatAreGivenTwice) {
  const Stages stages{Options()};
  const std::vector<RankedText> texts{{17, "one text of some words and more"}, {18, "another"}, {17, std::nullopt}, {17, "x"}};
  EXPECT_EQ(problem_of([&] {
              const auto stage = stages.collapse(1, {});
              for (const Blob& blob : packed(stages, texts, 1)) {
                if (blob.kind != BlobKind::kCounts) stage->add(blob.bytes);
              }
              stage->next();
            }),
            "id 17 is given to 3 documents; ids must be unique");
}

TEST(Collapse, RefusesRanksOfTwoWidthsAndForeignKinds) {
  const Stages stages{Options()};
  const std::vector<RankedText> texts{{17, "one text of some words and more"}};
  const auto stage = stages.collapse(1, {});
  const auto wide = packed(stages, texts, 1, false);
  for (const std::string_view blob : StagedRun::of_kind(wide, BlobKind::kDocuments)) stage->add(blob);
  const auto narrow = packed(stages, texts, 1, true);
  for (const Blob& blob : narrow) {
    if (blob.kind == BlobKind::kCounts) {
      EXPECT_EQ(problem_of([&] { stage->add(blob.bytes); }), "a blob of counts does not belong to this stage");
    } else {
      EXPECT_NE(problem_of([&] { stage->add(blob.bytes); }).find("ranks of 5 bytes, and others have 8"), std::string::npos);
    }
  }
}

TEST(Collapse, GivesNothingOfNothing) {
  const Stages stages{Options()};
  EXPECT_FALSE(stages.collapse(3, {})->next().has_value());
  EXPECT_FALSE(stages.link({})->next().has_value());
}

TEST(Pack, CountsAndListsRejects) {
  const Stages stages{Options()};
  std::vector<RankedText> texts;
  for (int64_t rank = 0; rank < 60; ++rank)
    texts.push_back({60 - rank, rank % 2 == 0 ? std::nullopt : std::optional<std::string_view>("a b")});
  texts.push_back({100, "bad \xFF bytes in a text of more words"});
  const auto first = packed(stages, texts, 4);
  const auto second = packed(stages, {{-5, std::nullopt}}, 9, false);
  std::vector<std::string_view> blobs = StagedRun::of_kind(first, BlobKind::kCounts);
  const auto more = StagedRun::of_kind(second, BlobKind::kCounts);
  blobs.insert(blobs.end(), more.begin(), more.end());
  const StageCounts counts = stages.counts(blobs);
  EXPECT_EQ(counts.documents, 31u);
  EXPECT_EQ(counts.rejected[RejectKind::kMissingField], 31u);
  EXPECT_EQ(counts.short_texts, 30u);
  EXPECT_EQ(counts.repaired, 1u);
  EXPECT_EQ(counts.text_bytes, 30 * 3 + texts.back().text->size());
  ASSERT_EQ(counts.rejects.size(), StageCounts::kListed);
  EXPECT_EQ(counts.rejects.front().rank, -5);
  for (size_t i = 1; i < counts.rejects.size(); ++i) EXPECT_EQ(counts.rejects[i].rank, static_cast<int64_t>(2 * i));
  EXPECT_EQ(counts.rejects.front().problem, "the text is null");
}

TEST(Pack, RefusesRanksThatAreNotNarrow) {
  const Stages stages{Options()};
  for (const int64_t rank : {int64_t{-1}, kMaxNarrowRank + 1}) {
    EXPECT_EQ(problem_of([&] {
                stages.pack(1, true)->add({rank, "text"});
              }),
              "rank " + std::to_string(rank) + " is not in 0 to 1099511627775, the range of narrow ranks");
  }
  stages.pack(1, true)->add({kMaxNarrowRank, "text"});
}

}  // namespace
}  // namespace neardup
