#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>
#include <utility>

#include "neardup/dedup.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Summary sample() {
  Summary summary;
  summary.has_verdicts = true;
  summary.read = 1'234'567;
  summary.kept = 1'000'000;
  summary.removed = 234'000;
  summary.rejected = 567;
  summary.rejected_by_kind.add(RejectKind::kBrokenJson, 7);
  summary.rejected_by_kind.add(RejectKind::kMissingField, 560);
  summary.exact_copies = 200'000;
  summary.near_duplicates = 34'000;
  summary.clusters = 150'000;
  summary.largest_cluster = 1'001;
  summary.largest_cluster_keeper = {.id = "a7", .source = "in.jsonl", .row = 7};
  summary.similarity_bands = {{950'000, 1'000'000, 30'000}, {900'000, 950'000, 3'999}, {850'000, 900'000, 0}, {800'000, 850'000, 1}};
  summary.least_similar = {
      {.removed = {.id = "b", .source = "in.jsonl", .row = 9}, .keeper = {.id = "", .source = "in.jsonl", .row = 3}, .similarity = 0.8}};
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
  Summary nothing;
  nothing.has_verdicts = true;
  EXPECT_EQ(nothing.to_text(), "read 0 = kept 0 + removed 0 + rejected 0\n");
}

TEST(SummaryText, WithoutVerdictsNothingIsKeptOrRemoved) {
  Summary summary;
  summary.read = summary.kept = 4'500;
  EXPECT_EQ(summary.to_text(), "read 4,500 documents, 0 rejected\n");
  summary.read = 4'501;
  summary.rejected = 1;
  summary.rejected_by_kind.add(RejectKind::kBrokenJson);
  EXPECT_EQ(summary.to_text(), "read 4,501 records, 1 rejected\nrejected: 1 record: 1 broken JSON\n");
}

TEST(SummaryText, RemovalsByBandAndTheLeastSimilar) {
  EXPECT_THAT(sample().to_text(), HasSubstr("removed 19.0 % of 1,234,000 documents: 200,000 exact copies, 34,000 near-duplicates\n"
                                            "clusters: 150,000, the largest of 1,001 documents, keeper a7\n"
                                            "removed by similarity to the keeper:\n"
                                            "  exact copy  200,000  ##############################\n"
                                            "  0.95-1.00    30,000  #####\n"
                                            "  0.90-0.95     3,999  #\n"
                                            "  0.85-0.90         0\n"
                                            "  0.80-0.85         1  #\n"
                                            "least similar removed documents -> their keepers:\n"
                                            "  0.800  b -> in.jsonl:3\n"));
}

TEST(SummaryText, BandsOfDistancesEstimatesAndComponents) {
  Summary summary = sample();
  summary.similarity_bands = {{833'333, 850'000, 2}, {0, 833'333, 1}};
  summary.estimated = true;
  EXPECT_THAT(summary.to_text(), HasSubstr("removed by estimated similarity to the keeper, which is not verified:\n"));
  EXPECT_THAT(summary.to_text(), HasSubstr("\n  0.833333-0.85         2  #\n  below 0.833333        1  #\n"));
  summary.estimated = false;
  summary.similarity_bands = {};
  summary.distance_bands = {{0, 1, 5}, {2, 3, 0}, {4, 4, 1}, {5, 64, 2}};
  summary.max_distance = 4;
  summary.least_similar.front().distance = 6;
  EXPECT_THAT(summary.to_text(), HasSubstr("removed by distance to the keeper:\n"));
  EXPECT_THAT(summary.to_text(),
              HasSubstr("\n  0-1               5  #\n  2-3               0\n  4                 1  #\n  over 4            2  #\n"));
  EXPECT_THAT(summary.to_text(), HasSubstr("\n  distance 6  b -> in.jsonl:3\n"));
}

TEST(SummaryText, OnlyExactCopiesNeedNoTable) {
  Summary summary = sample();
  summary.near_duplicates = 0;
  summary.similarity_bands = {};
  summary.least_similar = {};
  EXPECT_THAT(summary.to_text(), Not(HasSubstr("to the keeper")));
}

TEST(SummaryText, NothingWasADuplicate) {
  Summary summary;
  summary.has_verdicts = true;
  summary.read = summary.kept = 3;
  EXPECT_EQ(summary.to_text(), "read 3 = kept 3 + removed 0 + rejected 0\nno duplicates found\n");
}

TEST(SummaryText, PercentagesNeverClaimNothingOrAll) {
  Summary summary;
  summary.has_verdicts = true;
  summary.removed = summary.exact_copies = 1;
  summary.kept = 99'999;
  EXPECT_THAT(summary.to_text(), HasSubstr("removed less than 0.1 % of 100,000 documents: 1 exact copy\n"));
  summary.removed = summary.exact_copies = 99'999;
  summary.kept = 1;
  EXPECT_THAT(summary.to_text(), HasSubstr("removed more than 99.9 % of 100,000 documents: 99,999 exact copies\n"));
  summary.kept = 0;
  EXPECT_THAT(summary.to_text(), HasSubstr("removed 100.0 % of 99,999 documents: "));
}

TEST(SummaryText, NamesStayOnTheirLine) {
  Summary summary = sample();
  summary.largest_cluster_keeper.id = "a\nread 0";
  EXPECT_THAT(summary.to_text(), HasSubstr(", keeper a\\nread 0\n"));
}

TEST(SummaryText, LongNamesAreShortened) {
  Summary summary = sample();
  summary.largest_cluster_keeper.id = std::string(300, 'x') + "\xE4\xB8\xAD" + std::string(49, 'y');
  EXPECT_THAT(summary.to_text(), HasSubstr(", keeper " + std::string(50, 'x') + "..." + std::string(49, 'y') + "\n"));
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
  EXPECT_THAT(summary.to_text(true), HasSubstr("LSH, 21 bands of 6 rows, expected to miss 0.17 % of pairs at exactly the threshold\n"));
  EXPECT_THAT(summary.to_text(), Not(HasSubstr("capped")));
  EXPECT_THAT(summary.to_text(), Not(HasSubstr("LSH")));
  summary.capped_documents = 3;
  EXPECT_THAT(summary.to_text(), HasSubstr("capped: 3 documents"));
  summary.bands = 0;
  EXPECT_THAT(summary.to_text(true), Not(HasSubstr("search: LSH")));
  summary.sample_features = 32;
  summary.sample_certain = 99;
  summary.predicted_miss = 1.9e-7;
  EXPECT_THAT(summary.to_text(true), HasSubstr("\nsearch: by samples of 32 features, exact for texts of up to 99 features; for larger ones "
                                               "expected to miss 0.000019 % of pairs at exactly the threshold\n"));
  summary.predicted_miss = 0;
  EXPECT_THAT(summary.to_text(true), HasSubstr("\nsearch: by samples of 32 features, exact\n"));
}

TEST(SummaryText, NamesWeightedMeasures) {
  Summary summary = sample();
  summary.measure = "jaccard";
  EXPECT_THAT(summary.to_text(true), Not(HasSubstr("measure: ")));
  for (const auto& [measure, name] : {std::pair{"weighted-jaccard", "weighted Jaccard similarity"}, {"cosine", "cosine"}}) {
    summary.measure = measure;
    const std::string text = summary.to_text(true);
    EXPECT_THAT(text, HasSubstr(fmt::format("removed by {} to the keeper:\n", name)));
    EXPECT_THAT(text, HasSubstr(fmt::format("\nmeasure: {}", name)));
    EXPECT_THAT(text, HasSubstr("expected to miss 0.17 % of pairs whose Jaccard similarity without weights is the threshold\n"));
    EXPECT_THAT(summary.to_json(), HasSubstr(fmt::format("\"measure\":\"{}\",", measure)));
  }
  summary.measure.clear();
  EXPECT_THAT(summary.to_json(), HasSubstr("\"measure\":null,"));
}

TEST(SummaryText, NamesContainment) {
  Summary summary = sample();
  summary.contained = std::exchange(summary.near_duplicates, 0);
  const std::string text = summary.to_text();
  EXPECT_THAT(text, HasSubstr("200,000 exact copies, 34,000 contained in a kept document\n"));
  EXPECT_THAT(text, HasSubstr("removed by containment in the keeper:\n"));
  EXPECT_THAT(text, HasSubstr("least contained removed documents -> their keepers:\n"));
  EXPECT_THAT(summary.to_json(), HasSubstr("\"near_duplicates\":0,\"contained\":34000,"));
}

TEST(SummaryText, OneIsNoPlural) {
  Summary one;
  one.has_verdicts = true;
  one.removed = one.largest_cluster = 2;
  one.clusters = 1;
  one.exact_copies = one.near_duplicates = one.short_texts = one.capped_documents = 1;
  one.candidate_documents = one.verifications = one.reference_entries = one.reference_matches = one.reference_documents = 1;
  one.bands = 59;
  one.rows_per_band = 1;
  const std::string text = one.to_text(true);
  for (const char* line : {": 1 exact copy, 1 near-duplicate\n", "clusters: 1, of 2 documents, keeper ",
                           "1 document is too short for similarity; compared for exact copies only\n", "reference corpus: 1 document\n",
                           "index: 1 entry, matched by 1 document\n", "LSH, 59 bands of 1 row,",
                           "candidates: 1 document, largest group 0, 1 verification\n", "capped: 1 document was given up"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST(SummaryText, PassesHaveSecondsAndRates) {
  EXPECT_THAT(sample().to_text(), Not(HasSubstr("pass ")));
  const std::string text = sample().to_text(true);
  EXPECT_THAT(text, HasSubstr("pass sketch       10.00 s      4.7 GiB    476.8 MiB/s\n"));
  EXPECT_THAT(text, HasSubstr("total             12.50 s      4.7 GiB    381.5 MiB/s of text\n"));
  EXPECT_THAT(text, HasSubstr("peak memory 381.5 MiB; 2 threads, kernels avx2\n"));
}

TEST(SummaryText, WhatDidNotHappenIsNotMentioned) {
  const std::string text = Summary{}.to_text(true);
  for (const char* word :
       {"kept", "cluster", "similar", "pairs", "reference", "short", "repaired", "duplicate", "capped", "spilled", "rank", "pass"})
    EXPECT_THAT(text, Not(HasSubstr(word)));
}

TEST(SummaryJson, HoldsEveryNumber) {
  Summary summary = sample();
  summary.warnings = {"a \"quoted\"\tpath:1: rejected", "bad \xFF byte"};
  summary.sample_features = 32;
  summary.sample_certain = 99;
  summary.protected_documents = 7;
  summary.spared = 5;
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
  EXPECT_EQ(json.at("clusters").to_number<uint64_t>(), 150'000u);
  EXPECT_EQ(boost::json::serialize(json.at("largest_cluster")),
            R"({"size":1001,"keeper_id":"a7","keeper_source":"in.jsonl","keeper_row":7})");
  EXPECT_EQ(json.at("similarity_bands").as_array().size(), 4u);
  EXPECT_THAT(summary.to_json(), HasSubstr(R"("similarity_bands":[{"from":0.95,"to":1,"removed":30000},{"from":0.9,)"));
  EXPECT_THAT(summary.to_json(), HasSubstr(R"("distance_bands":[],"least_similar":[{"id":"b","source":"in.jsonl","row":9,"keeper_id":null,)"
                                           R"("keeper_source":"in.jsonl","keeper_row":3,"similarity":0.800000,"distance":null}],)"));
  EXPECT_FALSE(json.at("estimated").as_bool());
  EXPECT_EQ(json.at("sample_features").to_number<uint64_t>(), 32u);
  EXPECT_EQ(json.at("sample_certain").to_number<uint64_t>(), 99u);
  EXPECT_EQ(json.at("protected_documents").to_number<uint64_t>(), 7u);
  EXPECT_EQ(json.at("spared").to_number<uint64_t>(), 5u);
  EXPECT_EQ(json.size(), 51u);
}

TEST(SummaryJson, AnEmptySummaryIsJson) {
  const auto json = boost::json::parse(Summary{}.to_json()).as_object();
  EXPECT_TRUE(json.at("passes").as_array().empty());
  EXPECT_TRUE(json.at("largest_cluster").is_null());
}

}  // namespace
}  // namespace neardup
