// Options that can do nothing in a run.
#include "neardup/tools/option_effects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace neardup {
namespace {

using ::testing::HasSubstr;

std::string why(std::string_view name, const Options& options, RunFacts facts = {}) {
  const RunPlan plan = plan_run(options);
  facts.plan = &plan;
  return why_idle(name, options, facts);
}

Options with(std::string recipe) {
  Options options;
  options.recipe = std::move(recipe);
  return options;
}

TEST(OptionEffects, WhatJudgesPairs) {
  Options fingerprints = with("simhash-chars-4");
  EXPECT_THAT(why("threshold", fingerprints), HasSubstr("judged by --max-distance"));
  EXPECT_EQ(why("max_distance", fingerprints), "");
  EXPECT_THAT(why("bands", fingerprints), HasSubstr("has no bands"));
  EXPECT_THAT(why("miss_probability", fingerprints), HasSubstr("has no bands"));
  EXPECT_NE(why("max_candidates", fingerprints), "");
  EXPECT_EQ(why("threshold", fingerprints, {.shows_presets = true}), "");
  fingerprints.verify = Verify::kJaccard;
  EXPECT_EQ(why("threshold", fingerprints), "");
  EXPECT_EQ(why("max_candidates", fingerprints), "");
  fingerprints.verify = Verify::kTrue;
  fingerprints.also = "words-5";
  EXPECT_EQ(why("threshold", fingerprints), "");
  EXPECT_EQ(why("bands", fingerprints), "");

  Options signatures;
  for (const char* name : {"threshold", "bands", "rows_per_band", "miss_probability", "max_candidates"})
    EXPECT_EQ(why(name, signatures), "") << name;
  EXPECT_THAT(why("max_distance", signatures), HasSubstr("makes no fingerprints"));
  signatures.search = Search::kExact;
  EXPECT_EQ(why("threshold", signatures), "");
  for (const char* name : {"bands", "rows_per_band", "miss_probability", "max_candidates"}) EXPECT_NE(why(name, signatures), "") << name;
}

TEST(OptionEffects, WhatIsRead) {
  const auto idle = [](std::string_view name, InputKinds inputs, const Options& options = {}) {
    return why_idle(name, options, {.inputs = inputs});
  };
  const InputKinds texts{.texts = true};
  const InputKinds lines{.lines = true};
  const InputKinds both{.lines = true, .texts = true};
  for (const char* name : {"text_field", "id_field", "block_on", "protect"}) {
    EXPECT_NE(idle(name, texts), "") << name;
    EXPECT_EQ(idle(name, both), "") << name;
    EXPECT_EQ(idle(name, {}), "") << name << ": nothing is known of the inputs";
  }
  Options charset;
  charset.charset = "auto";
  EXPECT_NE(idle("charset", lines, charset), "");
  EXPECT_EQ(idle("charset", both, charset), "");
  EXPECT_EQ(idle("charset", {.archives = true}, charset), "");
  EXPECT_EQ(idle("charset", lines), "") << "UTF-8 it is";
  EXPECT_NE(idle("duckdb_library", lines), "");
  EXPECT_EQ(idle("duckdb_library", {.tables = true}), "");
  EXPECT_EQ(why_idle("duckdb_library", {}, {.inputs = lines, .writes_tables = true}), "");
  EXPECT_NE(idle("where", lines), "");
  EXPECT_EQ(idle("where", {.databases = true}), "");
  EXPECT_EQ(why_idle("key", {}, {.inputs = lines, .writes_databases = true}), "");
  Options format;
  format.format = InputFormat::kText;
  EXPECT_NE(idle("format", {.databases = true}, format), "");
  EXPECT_EQ(idle("format", {.texts = true, .databases = true}, format), "");
}

// Limits and promises that a run keeps anyway are never without effect.
TEST(OptionEffects, TheOthersAlwaysCount) {
  const std::set<std::string_view> ruled{
      "threshold",      "max_distance", "miss_probability", "bands",         "rows_per_band", "max_candidates",
      "format",         "text_field",   "id_field",         "where",         "key",           "charset",
      "duckdb_library", "block_on",     "protect",          "min_contained", "min_jaccard"};
  for (const OptionRow& row : option_table()) {
    if (ruled.contains(row.name)) continue;
    EXPECT_EQ(why(row.name, with("simhash-chars-4"), {.inputs = {.texts = true}}), "") << row.name;
  }
}

TEST(OptionEffects, PlansThatMissTooMuchSaySo) {
  Options options;
  EXPECT_EQ(plan_warning(options, plan_run(options)), "");
  options.threshold = Threshold::from_millionths(10'000);
  EXPECT_THAT(plan_warning(options, plan_run(options)),
              HasSubstr("the 128 permutations (lanes) of recipe 'words-5' do not suffice for threshold 0.01"));
  options.search = Search::kExact;
  EXPECT_EQ(plan_warning(options, plan_run(options)), "");
}

}  // namespace
}  // namespace neardup
