#include "neardup/tools/run_recipe.h"

#include <gtest/gtest.h>

#include <string>

#include "neardup/error.h"

namespace neardup {
namespace {

Recipe own(const std::string& clean) {
  std::string json = Recipe::load("words-5").canonical_json();
  json.insert(1, "\"clean\":" + clean + ",");
  return Recipe::parse(json, "own.json");
}

TEST(RunRecipe, EqualToAPresetItHasItsName) {
  for (const auto& [recipe, clean, name] : {std::tuple{"words-5", "html", "html-words-5"},
                                            {"chars-5", "html", "html-chars-5"},
                                            {"html-words-5", "none", "words-5"},
                                            {"html-words-5", "html", "html-words-5"},
                                            {"words-5", "none", "words-5"},
                                            {"words-5", "", "words-5"}}) {
    Options options;
    options.recipe = recipe;
    options.clean = clean;
    const Recipe made = run_recipe(options);
    EXPECT_EQ(made.name, name);
    EXPECT_EQ(made.id(), Recipe::load(name).id());
  }
}

TEST(RunRecipe, AnotherOneIsNamedAfterBoth) {
  const Recipe made = with_cleaner(Recipe::load("simhash-words-3"), "html");
  EXPECT_EQ(made.name, "simhash-words-3 --clean html");
  EXPECT_EQ(made.clean, R"(["html_v1"])");
  EXPECT_NE(made.id(), Recipe::load("simhash-words-3").id());
  EXPECT_EQ(Recipe::parse(made.canonical_json(), "again").id(), made.id());
}

TEST(RunRecipe, OnlyCleanersOfMarkupAreReplaced) {
  EXPECT_EQ(with_cleaner(own(R"(["tags_v1",{"cut_after":"end"}])"), "html").clean, R"(["html_v1",{"cut_after":"end"}])");
  EXPECT_EQ(with_cleaner(own(R"([{"cut_after":"end"},"html_v1"])"), "tags").clean, R"(["tags_v1",{"cut_after":"end"}])");
  EXPECT_EQ(with_cleaner(own(R"([{"cut_after":"end"}])"), "html").clean, R"(["html_v1",{"cut_after":"end"}])");
  EXPECT_EQ(with_cleaner(own(R"(["tags_v1",{"cut_after":"end"}])"), "none").clean, "[]");
}

TEST(RunRecipe, BothRecipesOfARunAreCleaned) {
  Options options;
  EXPECT_FALSE(run_also(options));
  options.also = "simhash-words-3";
  EXPECT_EQ(run_also(options)->name, "simhash-words-3");
  options.clean = "html";
  EXPECT_EQ(run_also(options)->clean, R"(["html_v1"])");
}

}  // namespace
}  // namespace neardup
