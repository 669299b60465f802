// Corpora whose fingerprints crowd together: the work must not grow with the square of the documents, and the answer stays the rule's.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "neardup/dedup.h"
#include "neardup/io.h"
#include "neardup/texts.h"
#include "support/corpus.h"
#include "support/recipe_file.h"
#include "support/sanitized.h"

namespace neardup {
namespace {

using testing::RecipeFile;
using testing::simhash_words_json;
using testing::views;

// The same two words and, between them, stop words that spell the number: other texts, equal features.
std::vector<std::string> equal_features(size_t count) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    std::string text = "alpha";
    for (size_t rest = i; rest > 0; rest /= 2) text += rest % 2 == 0 ? " a" : " the";
    texts.push_back(text + " beta");
  }
  return texts;
}

constexpr size_t kMillion = testing::unless_sanitized(1'000'000, 50'000);

const char* const kStopped = R"("stop_words":"english_v1",)";

Options options_for(const RecipeFile& recipe, uint32_t max_distance) {
  Options options;
  options.recipe = recipe.path();
  options.max_distance = max_distance;
  options.threads = 2;
  return options;
}

struct Clock {
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};
// With the square of a million the answer would take hours; a few seconds are for the reading. The bound is for sanitizers.
constexpr double kSoon = 120;

TEST(FingerprintSkew, AMillionEqualFingerprints) {
  const RecipeFile recipe(simhash_words_json(64, kStopped));
  for (const Verify verify : {Verify::kTrue, Verify::kJaccard, Verify::kCosine}) {
    const auto texts = equal_features(verify == Verify::kTrue ? kMillion : kMillion / 3);
    for (const Cluster cluster : {Cluster::kScan, Cluster::kComponents}) {
      Options options = options_for(recipe, 3);
      options.verify = verify;
      options.cluster = cluster;
      Summary summary;
      const Clock clock;
      const auto verdicts = dedup_texts(views(texts), options, &summary);
      EXPECT_LT(clock.seconds(), kSoon) << "verify " << static_cast<int>(verify) << ", cluster " << static_cast<int>(cluster);
      EXPECT_EQ(summary.kept, 1u);
      EXPECT_EQ(summary.near_duplicates, texts.size() - 1);
      EXPECT_EQ(summary.capped_documents, 0u);
      EXPECT_TRUE(std::ranges::all_of(verdicts, [](const TextVerdict& verdict) { return verdict.keeper == 0; }));
    }
  }
}

// The cap is for verifications; a distance costs no work, and no pair within it may be missing.
TEST(FingerprintSkew, NoPairWithinTheDistanceIsCapped) {
  const RecipeFile recipe(simhash_words_json(64, kStopped));
  const auto texts = equal_features(1500);
  Options options = options_for(recipe, 3);
  options.max_candidates = 10;
  Summary summary;
  EXPECT_EQ(pair_texts(views(texts), options, &summary).size(), texts.size() * (texts.size() - 1) / 2);
  EXPECT_EQ(summary.capped_documents, 0u);
  options.verify = Verify::kCosine;
  EXPECT_LT(pair_texts(views(texts), options, &summary).size(), texts.size() * 11);
  EXPECT_GT(summary.capped_documents, 1000u);
}

class KeeperSources : public Sink {
 public:
  void format(const Record&, const Verdict& verdict, std::string& out) const override {
    out += verdict.decision == Decision::kKeep ? 'k' : static_cast<char>('0' + verdict.keeper.source);
  }
  void append(uint32_t, std::string_view bytes) override { said += bytes; }
  void commit() override {}
  void withdraw() noexcept override {}
  std::string said;
};

TEST(FingerprintSkew, AMillionEqualFingerprintsInTheReferenceCorpus) {
  const RecipeFile recipe(simhash_words_json(64, kStopped));
  const auto texts = equal_features(kMillion);
  const auto all = views(texts);
  const auto split = all.end() - 10'000;
  const std::vector<std::string_view> old(all.begin(), split);
  std::vector<std::string_view> fresh(split, all.end());
  fresh.emplace_back("gamma delta epsilon zeta");
  for (const Cluster cluster : {Cluster::kScan, Cluster::kComponents}) {
    const auto source = concatenate(make_text_source(old), make_text_source(fresh));
    Options options = options_for(recipe, 3);
    options.cluster = cluster;
    KeeperSources sink;
    DedupRun run;
    run.source = source.get();
    run.reference_sources = 1;
    run.sinks = {&sink};
    const Clock clock;
    dedup(options, run);
    EXPECT_LT(clock.seconds(), kSoon) << "cluster " << static_cast<int>(cluster);
    EXPECT_EQ(sink.said, std::string(10'000, '0') + "k");
  }
}

// Five hundred words that all share and one of its own: distinct texts, fingerprints a few bits apart, a chain through all of them.
std::vector<std::string> near_features(size_t count, size_t shared) {
  std::string common;
  for (size_t i = 0; i < shared; ++i) common += "shared" + std::to_string(i) + " ";
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    std::string text = common;
    for (size_t j = 0; j < 1 + i % 7; ++j) text += "own" + std::to_string(i * 7 + j) + " ";
    texts.push_back(text);
  }
  return texts;
}

TEST(FingerprintSkew, FiftyThousandDistinctTextsNearOneAnother) {
  const RecipeFile recipe(simhash_words_json(128, ""));
  const auto texts = near_features(kMillion / 20, 60);
  for (const Verify verify : {Verify::kTrue, Verify::kCosine, Verify::kJaccard}) {
    for (const Cluster cluster : {Cluster::kScan, Cluster::kComponents}) {
      Options options = options_for(recipe, 3);
      options.verify = verify;
      options.cluster = cluster;
      options.threshold = Threshold::from_millionths(980'000);  // those with one unique word match none by cosine and Jaccard
      Summary summary;
      const Clock clock;
      dedup_texts(views(texts), options, &summary);
      EXPECT_LT(clock.seconds(), kSoon) << "verify " << static_cast<int>(verify) << ", cluster " << static_cast<int>(cluster);
      EXPECT_GT(summary.largest_group, texts.size() / 3);
    }
  }
}

}  // namespace
}  // namespace neardup
