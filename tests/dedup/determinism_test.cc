// Law 1 at the level of the library: verdicts and pairs do not depend on threads, kernels or memory.
//
// The kernels are chosen once per process, so the test program runs itself under each. bench/determinism.py does all of this with
// files and the command line.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/limits.h"
#include "neardup/texts.h"
#include "neardup/tools/instruction_sets.h"
#include "support/corpus.h"
#include "support/sanitized.h"

namespace neardup {
namespace {

using testing::CorpusShape;
using testing::make_corpus;
using testing::views;

Options options_for(const char* recipe, Search search, Cluster cluster) {
  Options options;
  options.recipe = recipe;
  options.search = search;
  options.cluster = cluster;
  options.threshold = Threshold::from_millionths(700'000);
  options.threads = 1;
  return options;
}

Options fingerprints(const char* recipe, Verify verify, Cluster cluster, const char* also = "") {
  Options options = options_for(recipe, Search::kLsh, cluster);
  options.verify = verify;
  options.also = also;
  options.max_distance = 12;
  return options;
}

std::vector<Options> determined_jobs() {
  return {options_for("words-5", Search::kLsh, Cluster::kScan),
          options_for("chars-5", Search::kLsh, Cluster::kScan),
          options_for("words-5", Search::kLsh, Cluster::kComponents),
          options_for("chars-5", Search::kExact, Cluster::kScan),
          fingerprints("simhash-words", Verify::kTrue, Cluster::kScan),
          fingerprints("simhash-words", Verify::kCosine, Cluster::kComponents),
          fingerprints("simhash-chars-4", Verify::kTrue, Cluster::kComponents),
          fingerprints("simhash-chars-4", Verify::kJaccard, Cluster::kScan),
          fingerprints("python-simhash-text", Verify::kTrue, Cluster::kScan),
          fingerprints("words-5", Verify::kTrue, Cluster::kScan, "simhash-words")};
}

constexpr std::string_view kSaid = "decisions";

// Everything that a verdict says, as text.
std::string told(const std::vector<TextVerdict>& verdicts) {
  std::string text;
  for (const TextVerdict& verdict : verdicts) {
    text += std::string(to_string(verdict.decision)) + " " + std::string(to_string(verdict.reason)) + " " + std::to_string(verdict.keeper) +
            " " + std::to_string(verdict.similarity) + "\n";
  }
  return text;
}

std::string told(const std::vector<TextPair>& pairs) {
  std::string text;
  for (const TextPair& pair : pairs) {
    text += std::to_string(pair.a) + " " + std::to_string(pair.b) + " " + std::to_string(pair.similarity) + "\n";
  }
  return text;
}

const CorpusShape kCorpusShape{.originals = testing::unless_sanitized(1500, 300),
                               .words = 90,
                               .vocabulary = 900,
                               .max_copies = 5,
                               .edit_rate = 0.04,
                               .boilerplate = 12};

TEST(Determinism, ThreadsDoNotMatter) {
  const auto texts = make_corpus(11, kCorpusShape);
  for (Options options : determined_jobs()) {
    const std::string expected = told(dedup_texts(views(texts), options));
    const std::string expected_pairs = told(pair_texts(views(texts), options));
    for (const uint32_t threads : {2u, 4u, 7u}) {
      options.threads = threads;
      ASSERT_EQ(expected, told(dedup_texts(views(texts), options))) << threads << " threads, recipe " << options.recipe;
      ASSERT_EQ(expected_pairs, told(pair_texts(views(texts), options))) << threads << " threads, recipe " << options.recipe;
    }
  }
}

TEST(Determinism, KeepPoliciesDoNotDependOnThreads) {
  const auto texts = make_corpus(12, kCorpusShape);
  for (const char* keep : {"last", "longest", "shortest,last"}) {
    Options options = options_for("words-5", Search::kLsh, Cluster::kScan);
    options.keep = keep;
    const std::string expected = told(dedup_texts(views(texts), options));
    options.threads = 4;
    ASSERT_EQ(expected, told(dedup_texts(views(texts), options))) << keep;
  }
}

// Enough text that the least budget does not hold the features of the candidates, nor the keys of the bands. Copies are far from their
// originals: the features of a group are needed until its last member is read.
TEST(Determinism, SpillingDoesNotMatter) {
  const auto made =
      make_corpus(13, {.originals = 12000, .words = 800, .vocabulary = 4000, .max_copies = 2, .edit_rate = 0.02, .boilerplate = 0});
  std::vector<std::string> texts;
  for (const size_t odd : {0U, 1U}) {
    for (size_t i = odd; i < made.size(); i += 2) texts.push_back(made[i]);
  }
  Options options = options_for("words-5", Search::kLsh, Cluster::kScan);
  options.memory = uint64_t{4} << 30;
  Summary summary;
  const std::string expected = told(dedup_texts(views(texts), options, &summary));
  EXPECT_EQ(summary.spilled_bytes, 0u);
  EXPECT_GT(summary.removed, texts.size() / 10);
  const std::string expected_pairs = told(pair_texts(views(texts), options));
  options.memory = limits::kMinMemory;
  for (const uint32_t threads : {1u, 3u}) {
    if (testing::kSanitized && threads == 1) continue;
    options.threads = threads;
    ASSERT_EQ(expected, told(dedup_texts(views(texts), options, &summary))) << threads << " threads";
    EXPECT_GT(summary.spilled_bytes, 0u);
    ASSERT_EQ(expected_pairs, told(pair_texts(views(texts), options))) << threads << " threads";
  }
}

// The features and weights of candidates, and the counts of the corpus, do not fit either.
TEST(Determinism, SpillingOfFingerprintRunsDoesNotMatter) {
  const auto texts =
      make_corpus(15, {.originals = 4000, .words = 700, .vocabulary = 300'000, .max_copies = 2, .edit_rate = 0.02, .boilerplate = 0});
  Options options = fingerprints("simhash-words", Verify::kCosine, Cluster::kScan);
  options.max_distance = 6;
  options.memory = uint64_t{4} << 30;
  Summary summary;
  const std::string expected = told(dedup_texts(views(texts), options, &summary));
  EXPECT_EQ(summary.spilled_bytes, 0u);
  EXPECT_GT(summary.removed, texts.size() / 10);
  const std::string expected_pairs = told(pair_texts(views(texts), options));
  options.memory = limits::kMinMemory;
  for (const uint32_t threads : {1u, 3u}) {
    if (testing::kSanitized && threads == 1) continue;
    options.threads = threads;
    ASSERT_EQ(expected, told(dedup_texts(views(texts), options, &summary))) << threads << " threads";
    EXPECT_GT(summary.spilled_bytes, 0u);
    ASSERT_EQ(expected_pairs, told(pair_texts(views(texts), options))) << threads << " threads";
  }
}

// What another process of this program says under the given kernels, by running the test that follows.
std::string decisions_under(std::string_view kernels) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "NEARDUP_KERNELS=" + std::string(kernels) + " '" + program +
                              "' --gtest_also_run_disabled_tests --gtest_filter=Determinism.DISABLED_PrintDecisions 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  std::string output;
  for (int c = 0; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;) output.push_back(static_cast<char>(c));
  EXPECT_TRUE(pipe != nullptr && pclose(pipe) == 0) << output;
  const size_t at = output.find(kSaid);
  EXPECT_NE(at, std::string::npos) << output;
  return output.substr(at, output.find('\n', at) - at);
}

TEST(Determinism, KernelsDoNotMatter) {
  const std::string expected = decisions_under("baseline");
  EXPECT_NE(expected.find(" by baseline kernels: "), std::string::npos) << expected;
  for (const std::string_view kernels : kernels_available()) {
    const std::string said = decisions_under(kernels);
    EXPECT_NE(said.find(" by " + std::string(kernels) + " kernels: "), std::string::npos) << said;
    EXPECT_EQ(expected.substr(expected.find(": ")), said.substr(said.find(": "))) << said;
  }
}

// Not a test by itself: KernelsDoNotMatter runs it in processes of its own.
TEST(Determinism, DISABLED_PrintDecisions) {
  const auto texts = make_corpus(14, kCorpusShape);
  std::string all;
  size_t removed = 0;
  for (const Options& options : determined_jobs()) {
    Summary summary;
    all += told(dedup_texts(views(texts), options, &summary)) + told(pair_texts(views(texts), options));
    removed += summary.removed;
  }
  std::printf("%.*s by %s kernels: %zu removed, hash of all %016" PRIx64 "\n", static_cast<int>(kSaid.size()), kSaid.data(),
              kernels_in_use(), removed, hash64(all));
}

}  // namespace
}  // namespace neardup
