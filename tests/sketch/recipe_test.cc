#include "neardup/recipe.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "neardup/error.h"
#include "support/jieba.h"

namespace neardup {
namespace {

std::string error_of(const std::string& json) {
  try {
    Recipe::parse(json, "mine");
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
}

std::string with(const std::string& from, const std::string& to) {
  std::string json = Recipe::load("words-5").canonical_json();
  const size_t at = json.find(from);
  EXPECT_NE(at, json.npos) << from;
  return json.replace(at, from.size(), to);
}

// A changed id would orphan every file that carries it. The values are XXH3-64 of the canonical JSON by the xxhsum program:
//   printf '%s' "$(neardup recipe words-5 --json)" | xxhsum -H3
TEST(Recipe, PresetIdsNeverChange) {
  EXPECT_EQ(Recipe::load("words-5").canonical_json(),
            R"({"feature_hash":"xxh3_64_v1","min_features":1,"normalizer":"nfkc_casefold_v1","shingle":{"short_text":"none","size":5},)"
            R"("sketch":{"kind":"minhash_v1","lanes":128,"seed":1},"tokenizer":"words_v1"})");
  EXPECT_EQ(Recipe::load("words-5").id(), 0x45C72DA0977DA1D1u);
  EXPECT_EQ(Recipe::load("chars-5").id(), 0x9F3A54B9FB359965u);
  EXPECT_EQ(Recipe::load("html-words-5").id(), 0xAFC8601DA0F1025Eu);
  EXPECT_EQ(Recipe::load("html-chars-5").id(), 0x85FF36489BA4C6DBu);
}

TEST(Recipe, CanonicalFormRoundTrips) {
  for (const std::string_view name : Recipe::preset_names()) {
    if (name.find("jieba") != name.npos || name.starts_with("python")) {
      NEARDUP_NEEDS_DICTIONARY();
    }
    const Recipe recipe = Recipe::load(std::string(name));
    const Recipe again = Recipe::parse(recipe.canonical_json(), "other name");
    EXPECT_EQ(again.id(), recipe.id());
    EXPECT_EQ(again.canonical_json(), recipe.canonical_json());
  }
}

TEST(Recipe, EveryFieldIsPartOfTheId) {
  const uint64_t id = Recipe::load("words-5").id();
  for (const auto& [from, to] : {std::pair{"\"min_features\":1", "\"min_features\":2"},
                                 {"casefold", "lower"},
                                 {"words_v1", "chars_v1"},
                                 {"none", "whole"},
                                 {"\"size\":5", "\"size\":6"},
                                 {"128", "64"},
                                 {"\"seed\":1", "\"seed\":2"}}) {
    EXPECT_NE(Recipe::parse(with(from, to), "mine").id(), id) << from;
  }
}

TEST(Recipe, ErrorsNameFieldBoundAndValue) {
  EXPECT_EQ(error_of(with("\"size\":5", "\"size\":65")), "recipe 'mine': field 'shingle.size' must be a whole number from 1 to 64, not 65");
  EXPECT_EQ(error_of(with("\"lanes\":128", "\"lanes\":0")),
            "recipe 'mine': field 'sketch.lanes' must be a whole number from 1 to 4096, not 0");
  EXPECT_EQ(error_of(with("\"seed\":1", "\"seed\":-1")),
            "recipe 'mine': field 'sketch.seed' must be a whole number from 0 to 9007199254740992, not -1");
  EXPECT_EQ(error_of(with("\"seed\":1", "\"seed\":1.5")),
            "recipe 'mine': field 'sketch.seed' must be a whole number from 0 to 9007199254740992, not 1.5E0");
  EXPECT_EQ(error_of(with("words_v1", "words_v2")),
            "recipe 'mine': field 'tokenizer' must be one of \"words_v1\", \"chars_v1\", \"jieba_v1\", \"jieba_full_v1\", "
            "\"jieba_search_v1\", \"code_v1\", not \"words_v2\"");
  EXPECT_EQ(error_of(with("\"min_features\":1,", "")), "recipe 'mine': field 'min_features' is missing");
  EXPECT_EQ(error_of(with("\"size\":5", "\"size\":5,\"step\":2")), "recipe 'mine': unknown field 'shingle.step'");
  EXPECT_NE(error_of("[]").find("not a JSON object"), std::string::npos);
  EXPECT_NE(error_of("{").find("not JSON"), std::string::npos);
}

TEST(Recipe, LoadsFilesAndNamesThePresetsWhenThereIsNone) {
  const std::string path = ::testing::TempDir() + "recipe_test.json";
  std::ofstream(path) << with("\"size\":5", "\"size\":7");
  EXPECT_EQ(Recipe::load(path).shingle_size, 7u);
  std::remove(path.c_str());
  try {
    Recipe::load("no-such-recipe");
    FAIL();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("recipe 'no-such-recipe' is neither a preset (chars-5, code-5, ")) << message;
    EXPECT_TRUE(message.ends_with(", words-5) nor a readable file")) << message;
  }
}

}  // namespace
}  // namespace neardup
