#include "neardup/tools/sample_removals.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/error.h"
#include "neardup/texts.h"

namespace neardup {
namespace {

using testing::HasSubstr;

// Every third text has a near copy after it, every fifth an exact one.
std::vector<std::string> corpus_of_families(size_t originals) {
  std::mt19937_64 random(1);
  std::vector<std::string> texts;
  for (size_t i = 0; i < originals; ++i) {
    std::string text;
    for (size_t word = 0; word < 40; ++word) text += fmt::format("word{} ", random() % 3000);
    texts.push_back(text);
    if (i % 3 == 0) texts.push_back(text + "and that was all of it");
    if (i % 5 == 0) texts.push_back("  " + text);
  }
  return texts;
}

struct SampledCorpus {
  std::vector<std::string> texts;
  std::vector<std::string_view> views;

  explicit SampledCorpus(size_t originals) : texts(corpus_of_families(originals)), views(texts.begin(), texts.end()) {}

  [[nodiscard]] SampledRemovals sample(const char* share, const Options& options = {}, size_t most = 200'000) const {
    const auto source = make_text_source(views);
    SampleRun run;
    run.source = source.get();
    run.share = SampleShare::parse(share);
    run.sample_documents = most;
    return sample_removals(options, run);
  }
  [[nodiscard]] double removed(const Options& options = {}) const {
    const std::vector<TextVerdict> verdicts = dedup_texts(views, options);
    const auto count = std::ranges::count(verdicts, Decision::kRemove, &TextVerdict::decision);
    return static_cast<double>(count) / static_cast<double>(verdicts.size());
  }
};

TEST(SampleRemovalsTest, OfAllDocumentsItIsTheRun) {
  const SampledCorpus corpus(200);
  const SampledRemovals found = corpus.sample("100%");
  EXPECT_TRUE(found.all);
  EXPECT_EQ(found.documents, corpus.texts.size());
  EXPECT_EQ(found.sampled, corpus.texts.size());
  EXPECT_DOUBLE_EQ(found.expected.all.low, corpus.removed());
  EXPECT_DOUBLE_EQ(found.expected.all.high, corpus.removed());
}

TEST(SampleRemovalsTest, TheRangeHasTheRemovals) {
  const SampledCorpus corpus(3000);
  Options strict;
  strict.threshold = 1;
  for (const Options& options : {Options{}, strict}) {
    const double truth = corpus.removed(options);
    for (const char* const share : {"5%", "20%", "50%"}) {
      const SampledRemovals found = corpus.sample(share, options);
      EXPECT_FALSE(found.all);
      EXPECT_FALSE(found.reduced);
      EXPECT_NEAR(static_cast<double>(found.sampled), found.share * static_cast<double>(found.documents),
                  0.3 * static_cast<double>(found.sampled));
      EXPECT_LE(found.expected.all.low, truth) << share;
      EXPECT_GE(found.expected.all.high, truth) << share;
      EXPECT_LT(found.expected.all.high - found.expected.all.low, 0.25) << share;
    }
  }
}

TEST(SampleRemovalsTest, ALargeSampleIsReducedAndThreadsChangeNothing) {
  const SampledCorpus corpus(2000);
  const SampledRemovals found = corpus.sample("100%", {}, 300);
  EXPECT_TRUE(found.reduced);
  EXPECT_FALSE(found.all);
  EXPECT_LT(found.share, 0.3);
  EXPECT_LT(found.sampled, 600u);
  EXPECT_LE(found.expected.all.low, corpus.removed());
  EXPECT_GE(found.expected.all.high, corpus.removed());
  Options threads;
  threads.threads = 5;
  const SampledRemovals again = corpus.sample("100%", threads, 300);
  EXPECT_EQ(again.share, found.share);
  EXPECT_EQ(again.sampled, found.sampled);
  EXPECT_EQ(again.expected.all.likely, found.expected.all.likely);
}

TEST(SampleRemovalsTest, RefusesWhatASampleCannotTell) {
  const auto message = [](const Options& options) {
    try {
      require_sampling(options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({}), "");
  Options options;
  options.measure = Measure::kContainment;
  EXPECT_THAT(message(options), HasSubstr("measure: cannot be combined with --sample"));
  options = {};
  options.keep = "longest";
  EXPECT_THAT(message(options), HasSubstr("keep: "));
  options = {};
  options.recipe = "code-5-renamed";
  EXPECT_THAT(message(options), HasSubstr("recipe: a sample cannot predict what 'code-5-renamed' removes"));
  for (const char* const share : {"0%", "1", "", "101%"}) EXPECT_THROW(SampleShare::parse(share), Error) << share;
  EXPECT_EQ(SampleShare::parse("0.05%").millionths, 500u);
}

}  // namespace
}  // namespace neardup
