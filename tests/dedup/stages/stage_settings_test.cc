#include "dedup/stages/stage_settings.h"

#include <gtest/gtest.h>

#include "neardup/error.h"
#include "neardup/tools/stages.h"

namespace neardup {
namespace {

// The message of the refusal of one option.
std::string refusal_of(std::string_view name, std::string_view value, const char* recipe = "words-5") {
  Options options;
  options.recipe = recipe;
  for (const OptionRow& row : option_table()) {
    if (row.name == name) row.set(options, value);
  }
  try {
    const Stages stages(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "none";
}

TEST(StageSettings, RefuseWhatSuchRunsDoNotHave) {
  const std::pair<const char*, const char*> refused[] = {
      {"also", "simhash-chars-4"}, {"block_on", "shop"},       {"protect", "a=1"},  {"batch", "1000"},    {"max_removed", "5%"},
      {"max_cluster", "9"},        {"measure", "containment"}, {"search", "exact"}, {"verify", "cosine"}, {"verify", "weighted-jaccard"},
      {"format", "csv"},           {"where", "a = 1"},         {"key", "id"},       {"charset", "big5"},  {"duckdb_library", "x.so"},
      {"max_record_bytes", "1M"},  {"max_rejects", "5"},       {"strict", "true"},  {"memory", "1G"},     {"threads", "2"},
      {"temp_dir", "/tmp"},        {"min_contained", "3"}};
  for (const auto& [name, value] : refused) {
    const std::string message = refusal_of(name, value);
    EXPECT_EQ(message.rfind(std::string(name) + ": ", 0), 0u) << message;
    EXPECT_NE(message.find("is not available in runs over several machines"), std::string::npos) << message;
  }
  EXPECT_EQ(refusal_of("recipe", "simhash-words"),
            "recipe: 'simhash-words' weighs by the IDF of the corpus, which must be counted first: it needs a table");
  EXPECT_EQ(refusal_of("max_distance", "4"), "max_distance: 4 is for fingerprints, and recipe 'words-5' makes none");
}

TEST(StageSettings, TakeWhatChangesDecisions) {
  const std::pair<const char*, const char*> taken[] = {{"threshold", "0.5"},    {"clean", "tags"},     {"search", "lsh"},
                                                       {"verify", "false"},     {"verify", "jaccard"}, {"min_length", "30"},
                                                       {"max_candidates", "7"}, {"keep", "longest"},   {"cluster", "components"}};
  for (const auto& [name, value] : taken) EXPECT_EQ(refusal_of(name, value), "none") << name;
  EXPECT_EQ(refusal_of("max_distance", "15", "simhash-chars-4"), "none");
  EXPECT_EQ(refusal_of("max_distance", "16", "simhash-chars-4"),
            "max_distance: 16 is above 15, the maximum of runs over several machines with fingerprints of 64 bits");
  EXPECT_EQ(refusal_of("search", "hamming", "simhash-chars-4"), "none");
}

TEST(StageSettings, RefuseTooManyPartsAndTooLittleMemory) {
  const Stages stages{Options()};
  EXPECT_THROW(static_cast<void>(stages.pack(0, true)), Error);
  EXPECT_THROW(static_cast<void>(stages.collapse(1'000'001, {})), Error);
  EXPECT_THROW(static_cast<void>(stages.link({.memory = kMinStageMemory - 1, .temp_dir = {}})), Error);
  EXPECT_THROW(static_cast<void>(stages.decide(0)), Error);
}

TEST(StageSettings, KnowTheBytesOfRecords) {
  Options options;
  options.bands = 20;
  options.rows_per_band = 6;
  const Stages stages(options);
  EXPECT_EQ(stages.record_bytes(BlobKind::kDocuments, true), 16u + 5 + 20 * 6);
  EXPECT_EQ(stages.record_bytes(BlobKind::kKeys, true), 11u);
  EXPECT_EQ(stages.record_bytes(BlobKind::kEdges, false), 16u);
  EXPECT_EQ(stages.facts().keys, 20u);
  EXPECT_TRUE(stages.facts().second_scan);
}

}  // namespace
}  // namespace neardup
