// A recipe that weighs by the IDF of its own corpus: the same for any threads and memory, and the same as with the table as a file.
#include "dedup/fit/corpus_frequencies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/limits.h"
#include "features/frequency_tables.h"
#include "neardup/texts.h"
#include "neardup/tools/frequencies.h"
#include "support/corpus.h"
#include "support/fingerprint_oracle.h"
#include "support/recipe_file.h"

namespace neardup {
namespace {

using testing::FingerprintOracle;
using testing::make_corpus;
using testing::RecipeFile;
using testing::views;

const testing::CorpusShape kShape{.originals = 300, .words = 60, .vocabulary = 700, .max_copies = 4, .edit_rate = 0.05, .boilerplate = 6};

Options options_for(const std::string& recipe) {
  Options options;
  options.recipe = recipe;
  options.max_distance = 10;
  options.threads = 2;
  options.max_candidates = 0;
  return options;
}

// In how many texts each token occurs, counted by sets.
DocumentFrequencyTable counted(const std::vector<std::string>& texts, const Recipe& recipe) {
  const Sketcher sketcher(tokens_only(recipe));
  Sketcher::Scratch scratch;
  std::map<std::string, uint32_t> counts;
  for (const std::string& text : texts) {
    const std::vector<std::string_view> tokens = sketcher.tokenize(text, scratch);
    const std::set<std::string> distinct(tokens.begin(), tokens.end());
    for (const std::string& token : distinct) ++counts[token];
  }
  return testing::table_of(counts, texts.size());
}

TEST(CorpusFrequencies, CountEveryDocumentOnce) {
  const auto texts = make_corpus(1, kShape);
  const auto text_views = views(texts);
  const Recipe recipe = Recipe::load("simhash-words");
  const auto expected = counted(texts, recipe);
  for (const uint32_t threads : {1u, 2u, 5u}) {
    const auto source = make_text_source(text_views);
    const FittedRecipe fitted = fit_recipe(recipe, *source, threads, limits::kMinMemory, "", {});
    ASSERT_NE(fitted.table, nullptr);
    EXPECT_EQ(fitted.table->documents(), texts.size());
    EXPECT_TRUE(std::ranges::equal(fitted.table->hashes(), expected.hashes()));
    EXPECT_TRUE(std::ranges::equal(fitted.table->counts(), expected.counts()));
    EXPECT_EQ(fitted.recipe.ids.idf, fitted.table->id());
    EXPECT_NE(fitted.recipe.id(), recipe.id()) << "the id tells which corpus it was fitted on";
  }
}

TEST(CorpusFrequencies, ATableThatIsKeptIsLoaded) {
  const auto texts = make_corpus(1, kShape);
  const auto text_views = views(texts);
  const Recipe recipe = Recipe::load("simhash-words");
  const std::string path = ::testing::TempDir() + "corpus_frequencies_kept.idf";
  std::remove(path.c_str());
  EXPECT_FALSE(load_fitted(recipe, path)) << "there is none";
  const auto source = make_text_source(text_views);
  const FittedRecipe fitted = fit_recipe(recipe, *source, 2, limits::kMinMemory, "", {}, path);
  const auto loaded = load_fitted(recipe, path);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->recipe.id(), fitted.recipe.id());
  EXPECT_TRUE(std::ranges::equal(loaded->table->hashes(), counted(texts, recipe).hashes()));

  Recipe other = recipe;
  other.stemmer.clear();
  EXPECT_FALSE(load_fitted(other, path)) << "of other tokens";
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_FALSE(load_fitted(recipe, path)) << "damaged";
  EXPECT_TRUE(std::filesystem::exists(path)) << "it is replaced, not removed: another process may be about to";
  std::remove(path.c_str());
}

TEST(CorpusFrequencies, OtherRecipesAreLeftAlone) {
  const auto source = make_text_source({});
  const FittedRecipe fitted = fit_recipe(Recipe::load("words-5"), *source, 1, limits::kMinMemory, "", {});
  EXPECT_EQ(fitted.table, nullptr);
  EXPECT_EQ(fitted.recipe.id(), Recipe::load("words-5").id());
}

TEST(CorpusFrequencies, ARunEqualsTheOracle) {
  for (const uint64_t seed : {1u, 2u}) {
    const auto texts = make_corpus(seed, kShape);
    const auto table = counted(texts, Recipe::load("simhash-words"));
    for (const Verify verify : {Verify::kTrue, Verify::kCosine}) {
      Options options = options_for("simhash-words");
      options.verify = verify;
      const auto expected = FingerprintOracle(views(texts), options, &table).pairs();
      const auto got = pair_texts(views(texts), options);
      ASSERT_GT(expected.size(), 100u);
      ASSERT_EQ(expected.size(), got.size());
      for (size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(expected[i].a, got[i].a);
        ASSERT_EQ(expected[i].b, got[i].b);
        ASSERT_EQ(expected[i].similarity, got[i].similarity);
      }
    }
  }
}

// `neardup idf fit`, then the recipe with its file in the place of "corpus": the very same recipe.
TEST(CorpusFrequencies, TheFileOfTheSameCorpusIsTheSameRecipe) {
  const auto texts = make_corpus(3, kShape);
  const auto text_views = views(texts);
  const std::string path = ::testing::TempDir() + "corpus_frequencies_test.idf";
  const auto source = make_text_source(text_views);
  FrequencyRun run;
  run.source = source.get();
  run.output = path;
  fit_frequencies(options_for("simhash-words"), run);
  const RecipeFile recipe(
      R"({"normalizer":"nfkc_casefold_v1","tokenizer":"words_v1","stop_words":"english_v1","stemmer":"english","shingle":{"size":1,)"
      R"("short_text":"none"},"weighting":{"kind":"tf_idf_v1","idf":")" +
      path + R"("},"min_features":1,"feature_hash":"xxh3_64_v1","sketch":{"kind":"simhash_v1","bits":64}})");
  Summary by_file;
  Summary by_corpus;
  const auto expected = dedup_texts(text_views, options_for(recipe.path()), &by_file);
  EXPECT_GT(by_file.near_duplicates, 50u);
  for (const uint32_t threads : {1u, 3u}) {
    for (const uint64_t memory : {limits::kMinMemory, uint64_t{2} << 30}) {
      Options options = options_for("simhash-words");
      options.threads = threads;
      options.memory = memory;
      const auto got = dedup_texts(text_views, options, &by_corpus);
      EXPECT_EQ(by_corpus.recipe_id, by_file.recipe_id);
      ASSERT_EQ(got.size(), expected.size());
      for (size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(got[i].decision, expected[i].decision);
        ASSERT_EQ(got[i].keeper, expected[i].keeper);
        ASSERT_EQ(got[i].similarity, expected[i].similarity);
      }
    }
  }
  EXPECT_EQ(by_corpus.passes.front().name, "count");
  EXPECT_EQ(by_corpus.passes.front().bytes, by_corpus.text_bytes);
  EXPECT_EQ(by_file.passes.front().name, "sketch");
  std::remove(path.c_str());
}

TEST(CorpusFrequencies, AnEmptyCorpusIsDone) {
  EXPECT_TRUE(dedup_texts({}, options_for("simhash-words")).empty());
  const std::vector<std::string_view> empty = {"", "", "the"};
  const auto verdicts = dedup_texts(empty, options_for("simhash-words"));
  EXPECT_EQ(verdicts[0].reason, Reason::kKeeper);
  EXPECT_EQ(verdicts[1].reason, Reason::kExactCopy);
  EXPECT_EQ(verdicts[2].reason, Reason::kShort) << "a stop word is not a feature";
}

}  // namespace
}  // namespace neardup
