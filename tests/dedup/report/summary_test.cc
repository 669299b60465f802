#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>

#include "neardup/dedup.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Summary sample() {
  Summary summary;
  summary.read = 1'234'567;
  summary.kept = 1'000'000;
  summary.removed = 234'000;
  summary.rejected = 567;
  summary.rejected_by_kind.add(RejectKind::kBrokenJson, 7);
  summary.rejected_by_kind.add(RejectKind::kMissingField, 560);
  summary.exact_copies = 200'000;
  summary.near_duplicates = 34'000;
  summary.short_texts = 12;
  summary.text_bytes = 5'000'000'000;
  summary.candidate_documents = 70'000;
  summary.verifications = 35'001;
  summary.largest_group = 99;
  summary.bands = 21;
  summary.rows_per_band = 6;
  summary.predicted_miss = 0.00168812;
  summary.peak_memory_bytes = 400'000'000;
  summary.recipe_id = 0xFEDCBA9876543210;
  summary.recipe_name = "words-5";
  summary.kernels = "avx2";
  summary.threads = 2;
  summary.passes = {{"sketch", 10, 5'000'000'000}, {"output", 2.5, 5'000'000'000}};
  return summary;
}

TEST(SummaryText, CountsAreAnEquation) {
  EXPECT_THAT(sample().to_text(), StartsWith("read 1,234,567 = kept 1,000,000 + removed 234,000 + rejected 567\n"));
  EXPECT_THAT(Summary{}.to_text(), StartsWith("read 0 = kept 0 + removed 0 + rejected 0\n"));
}

TEST(SummaryText, RejectsAreCountedByKind) {
  Summary summary = sample();
  EXPECT_THAT(summary.to_text(), HasSubstr("\nrejected: 567 records: 560 missing the text field, 7 broken JSON\n"));
  EXPECT_THAT(Summary{}.to_text(), Not(HasSubstr("rejected:")));
  summary.reference_documents = 9;
  summary.reference_rejected = 2;
  summary.reference_rejected_by_kind.add(RejectKind::kTooLong, 2);
  EXPECT_THAT(summary.to_text(), HasSubstr("\nreference corpus: 9 documents, 2 of them rejected: 2 too long\n"));
}

TEST(SummaryText, SaysWhatWasMissedAndWhatWasCapped) {
  Summary summary = sample();
  EXPECT_THAT(summary.to_text(), HasSubstr("LSH, 21 bands of 6 rows, expected to miss 0.17 % of pairs at exactly the threshold\n"));
  EXPECT_THAT(summary.to_text(), Not(HasSubstr("capped")));
  summary.capped_documents = 3;
  EXPECT_THAT(summary.to_text(), HasSubstr("capped: 3 documents"));
  summary.bands = 0;
  EXPECT_THAT(summary.to_text(), Not(HasSubstr("search: LSH")));
}

TEST(SummaryText, OneIsNoPlural) {
  Summary one;
  one.removed = 2;
  one.exact_copies = one.near_duplicates = one.short_texts = one.capped_documents = 1;
  one.candidate_documents = one.verifications = one.reference_entries = one.reference_matches = one.reference_documents = 1;
  one.bands = 59;
  one.rows_per_band = 1;
  const std::string text = one.to_text();
  for (const char* line :
       {"removed: 1 exact copy, 1 near-duplicate\n", "1 document is too short for similarity; compared for exact copies only\n",
        "reference corpus: 1 document\n", "index: 1 entry, matched by 1 document\n", "LSH, 59 bands of 1 row,",
        "candidates: 1 document, largest group 0, 1 verification\n", "capped: 1 document was given up"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST(SummaryText, PassesHaveSecondsAndRates) {
  const std::string text = sample().to_text();
  EXPECT_THAT(text, HasSubstr("pass sketch       10.00 s      4.7 GiB    476.8 MiB/s\n"));
  EXPECT_THAT(text, HasSubstr("total             12.50 s      4.7 GiB    381.5 MiB/s of text\n"));
  EXPECT_THAT(text, HasSubstr("peak memory 381.5 MiB; 2 threads, kernels avx2\n"));
}

TEST(SummaryText, WhatDidNotHappenIsNotMentioned) {
  const std::string text = Summary{}.to_text();
  for (const char* word : {"pairs", "reference", "short", "repaired", "duplicate", "capped", "spilled", "rank", "pass"})
    EXPECT_THAT(text, Not(HasSubstr(word)));
}

TEST(SummaryJson, HoldsEveryNumber) {
  Summary summary = sample();
  summary.warnings = {"a \"quoted\"\tpath:1: rejected", "bad \xFF byte"};
  const auto json = boost::json::parse(summary.to_json()).as_object();
  EXPECT_EQ(json.at("read").to_number<uint64_t>(),
            json.at("kept").to_number<uint64_t>() + json.at("removed").to_number<uint64_t>() + json.at("rejected").to_number<uint64_t>());
  EXPECT_EQ(json.at("text_bytes").to_number<uint64_t>(), 5'000'000'000u);
  EXPECT_EQ(json.at("recipe_id").as_string(), "fedcba9876543210");
  EXPECT_DOUBLE_EQ(json.at("predicted_miss").as_double(), 0.00168812);
  EXPECT_EQ(json.at("passes").as_array().size(), 2u);
  EXPECT_EQ(json.at("passes").as_array()[0].as_object().at("name").as_string(), "sketch");
  EXPECT_EQ(json.at("warnings").as_array()[0].as_string(), "a \"quoted\"\tpath:1: rejected");
  EXPECT_EQ(json.at("warnings").as_array()[1].as_string(), "bad \xEF\xBF\xBD byte");
  EXPECT_EQ(json.at("rejected_by_kind").as_object().at("missing_field").to_number<uint64_t>(), 560u);
  EXPECT_EQ(json.at("reference_rejected_by_kind").as_object().at("missing_field").to_number<uint64_t>(), 0u);
  EXPECT_EQ(json.size(), 39u);
}

TEST(SummaryJson, AnEmptySummaryIsJson) {
  EXPECT_TRUE(boost::json::parse(Summary{}.to_json()).as_object().at("passes").as_array().empty());
}

}  // namespace
}  // namespace neardup
