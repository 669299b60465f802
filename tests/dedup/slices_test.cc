// A corpus that is decided in slices against one that is decided at once: the same verdicts, whatever decides about a pair.
#include <gtest/gtest.h>

#include <random>

#include "base/limits.h"
#include "neardup/error.h"
#include "neardup/texts.h"
#include "support/corpus.h"

namespace neardup {
namespace {

using testing::CorpusShape;
using testing::make_corpus;
using testing::views;

// Batches of texts in memory have 512 texts.
const CorpusShape kSliceShape{.originals = 900, .words = 70, .vocabulary = 900, .max_copies = 6, .edit_rate = 0.04, .boilerplate = 0};
const CorpusShape kBoilerplate{.originals = 600, .words = 12, .vocabulary = 900, .max_copies = 4, .edit_rate = 0.1, .boilerplate = 60};

Options options_for(const char* recipe, Verify verify = Verify::kTrue, const char* also = "") {
  Options options;
  options.recipe = recipe;
  options.verify = verify;
  options.also = also;
  const bool fingerprints = std::string_view(recipe).find("simhash") != std::string_view::npos || *also != 0;
  if (fingerprints) options.max_distance = 10;
  options.max_candidates = 0;
  options.threshold = Threshold::from_millionths(700'000);
  options.threads = 3;
  return options;
}

std::vector<Options> sliced_jobs() {
  return {options_for("words-5"),
          options_for("chars-5"),
          options_for("words-5", Verify::kFalse),
          options_for("simhash-words"),  // weighs by the corpus
          options_for("simhash-words", Verify::kCosine),
          options_for("simhash-chars-4"),
          options_for("simhash-chars-4", Verify::kJaccard),
          options_for("python-simhash-text"),
          options_for("words-5", Verify::kTrue, "simhash-chars-4")};
}

void expect_same(const std::vector<TextVerdict>& expected, const std::vector<TextVerdict>& got) {
  ASSERT_EQ(expected.size(), got.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(expected[i].decision, got[i].decision) << i;
    ASSERT_EQ(expected[i].reason, got[i].reason) << i;
    ASSERT_EQ(expected[i].keeper, got[i].keeper) << i;
    ASSERT_EQ(expected[i].similarity, got[i].similarity) << i;
  }
}

TEST(Slices, GiveWhatOneRunGives) {
  for (const CorpusShape& shape : {kSliceShape, kBoilerplate}) {
    const auto texts = make_corpus(21, shape);
    ASSERT_GT(texts.size(), 3 * 512u);
    for (Options options : sliced_jobs()) {
      Summary whole;
      const auto expected = dedup_texts(views(texts), options, &whole);
      EXPECT_EQ(whole.slices, 1u);
      EXPECT_GT(whole.removed, texts.size() / 10) << options.recipe;
      for (const uint64_t batch : {1u, 513u, 1000u, 1'000'000u}) {
        options.batch = batch;
        Summary summary;
        expect_same(expected, dedup_texts(views(texts), options, &summary));
        if (HasFatalFailure()) FAIL() << options.recipe << " also '" << options.also << "', batch " << batch;
        const uint64_t slice = (batch + 511) / 512 * 512;
        EXPECT_EQ(summary.slices, (texts.size() + slice - 1) / slice);
        EXPECT_EQ(summary.kept, whole.kept);
        EXPECT_EQ(summary.near_duplicates, whole.near_duplicates);
        EXPECT_EQ(summary.exact_copies, whole.exact_copies);
        EXPECT_EQ(summary.short_texts, whole.short_texts);
        EXPECT_EQ(summary.text_bytes, whole.text_bytes);
        EXPECT_EQ(summary.passes.size(), whole.passes.size()) << "those of all slices are one";
      }
    }
  }
}

// What a slice verifies depends on where it ends, and that on the input alone.
TEST(Slices, DoNotDependOnThreads) {
  const auto texts =
      make_corpus(22, {.originals = 3000, .words = 30, .vocabulary = 4000, .max_copies = 1, .edit_rate = 0.5, .boilerplate = 20});
  Options options = options_for("words-5");
  options.batch = 2000;
  options.max_candidates = 3;  // documents that are given up are others than in one run, but always the same
  Summary expected;
  options.threads = 1;
  const auto verdicts = dedup_texts(views(texts), options, &expected);
  EXPECT_GT(expected.slices, 1u);
  EXPECT_GT(expected.capped_documents, 0u);
  for (const uint32_t threads : {2u, 5u}) {
    options.threads = threads;
    Summary summary;
    expect_same(verdicts, dedup_texts(views(texts), options, &summary));
    EXPECT_EQ(summary.slices, expected.slices);
    EXPECT_EQ(summary.candidate_documents, expected.candidate_documents);
    EXPECT_EQ(summary.verifications, expected.verifications);
    EXPECT_EQ(summary.capped_documents, expected.capped_documents);
  }
}

// The point of it: of removed documents, nothing stays on the disk.
TEST(Slices, UseDiskForKeptDocumentsOnly) {
  const auto texts =
      make_corpus(23, {.originals = 600, .words = 500, .vocabulary = 4000, .max_copies = 60, .edit_rate = 0.01, .boilerplate = 0});
  Options options = options_for("words-5");
  options.memory = limits::kMinMemory;
  Summary whole;
  const auto expected = dedup_texts(views(texts), options, &whole);
  EXPECT_GT(whole.spilled_bytes, 0u);
  EXPECT_LT(whole.kept, texts.size() / 4);
  options.batch = 1024;
  Summary sliced;
  expect_same(expected, dedup_texts(views(texts), options, &sliced));
  EXPECT_LT(sliced.spilled_bytes, whole.spilled_bytes / 4);
}

// Decided documents return only for new ones: not because common text connects them.
TEST(Slices, DoNotReadDecidedDocumentsRepeatedly) {
  std::mt19937_64 random(25);
  const auto words = [&](size_t count) {
    std::vector<std::string> made;
    while (made.size() < count) made.push_back(testing::word(random, 1'000'000));
    return testing::join(made);
  };
  const std::string ending = words(90);
  std::vector<std::string> texts;
  while (texts.size() < 12'000) texts.push_back(words(70) + " " + ending);
  Options options = options_for("words-5");
  options.threshold = Threshold::from_millionths(800'000);
  Summary whole;
  const auto expected = dedup_texts(views(texts), options, &whole);
  EXPECT_GT(whole.largest_group, 1000u);
  options.batch = 512;
  Summary sliced;
  expect_same(expected, dedup_texts(views(texts), options, &sliced));
  EXPECT_GT(sliced.slices, 20u);
  EXPECT_LT(sliced.candidate_documents, 2 * whole.candidate_documents);
}

// Finding pairs needs all texts at once.
TEST(Slices, AreNotForPairs) {
  const auto texts = make_corpus(26, kSliceShape);
  Options options = options_for("words-5");
  const auto expected = pair_texts(views(texts), options);
  options.batch = 512;
  EXPECT_EQ(pair_texts(views(texts), options).size(), expected.size());
}

TEST(Slices, RefuseWhatNeedsAllDocumentsAtOnce) {
  const std::vector<std::string_view> texts{"one text", "another text"};
  const auto refusal = [&](const auto& change) {
    Options options = options_for("words-5");
    options.batch = 100;
    change(options);
    try {
      dedup_texts(texts, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refusal([](Options& options) { options.keep = "longest"; }).find("keep 'longest'"), std::string::npos);
  EXPECT_NE(refusal([](Options& options) { options.keep = "last"; }).find("keep 'last'"), std::string::npos);
  EXPECT_NE(refusal([](Options& options) { options.cluster = Cluster::kComponents; }).find("components"), std::string::npos);
  EXPECT_NE(refusal([](Options& options) { options.search = Search::kExact; }).find("exact"), std::string::npos);
  EXPECT_EQ(refusal([](Options&) {}), "accepted");
}

}  // namespace
}  // namespace neardup
