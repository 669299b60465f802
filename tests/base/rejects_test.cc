// Counts of rejected records by kind, and what is said of the first ones.
#include "neardup/tools/rejects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "neardup/dedup.h"

namespace neardup {
namespace {

TEST(Rejects, EveryKindHasNamesOfItsOwn) {
  std::set<std::string_view> names;
  std::set<std::string> words;
  for (size_t i = 0; i < kRejectKinds; ++i) {
    names.insert(to_string(static_cast<RejectKind>(i)));
    words.insert(in_words(static_cast<RejectKind>(i)));
  }
  EXPECT_EQ(names.size(), kRejectKinds);
  EXPECT_EQ(words.size(), kRejectKinds);
  EXPECT_EQ(to_string(RejectKind::kBrokenJson), "broken_json");
  EXPECT_EQ(to_string(RejectKind::kOther), "other");
  EXPECT_EQ(in_words(RejectKind::kFieldType), "with the text field of the wrong type");
  EXPECT_EQ(in_words(RejectKind::kMissingField, "the fingerprint"), "missing the fingerprint");
}

TEST(Rejects, TextHasTheMostFrequentFirst) {
  RejectCounts counts;
  EXPECT_EQ(counts.to_text(), "");
  counts.add(RejectKind::kBrokenJson, 5);
  counts.add(RejectKind::kDamaged);
  counts.add(RejectKind::kMissingField, 7000);
  counts.add(RejectKind::kTooLong);
  EXPECT_EQ(counts.to_text(), "7,000 missing the text field, 5 broken JSON, 1 too long, 1 damaged");
  EXPECT_EQ(counts.total(), 7007u);
}

TEST(Rejects, JsonHasAllKinds) {
  RejectCounts counts;
  counts.add(RejectKind::kOther, 3);
  const auto json = boost::json::parse(counts.to_json()).as_object();
  EXPECT_EQ(json.size(), kRejectKinds);
  for (const auto& [name, count] : json) EXPECT_EQ(count.to_number<uint64_t>(), name == "other" ? 3u : 0u) << name;
}

TEST(Rejects, CountsAdd) {
  RejectCounts one;
  one.add(RejectKind::kTooLong, 2);
  RejectCounts two = one;
  two.add(RejectKind::kOther);
  one += two;
  EXPECT_EQ(one[RejectKind::kTooLong], 4u);
  EXPECT_EQ(one[RejectKind::kOther], 1u);
  EXPECT_NE(one, two);
}

// A source of the caller's own, of which a record has a problem without a kind, and one with.
class OwnBatch final : public Batch {
 public:
  uint32_t read(Need, const Filter& wanted, const Visitor& visit) override {
    for (uint32_t i = 0; i < 3; ++i) {
      if (wanted && !wanted(i)) continue;
      Record record;
      record.where = {.source = 0, .row = i + uint64_t{1}};
      record.text = "one two three four five six";
      if (i > 0) record.problem = "of no use";
      if (i > 1) record.reject_kind = RejectKind::kInvalidValue;
      visit(i, record);
    }
    return 3;
  }
  [[nodiscard]] uint32_t source() const noexcept override { return 0; }
  [[nodiscard]] uint64_t rows() const noexcept override { return 3; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return 0; }
};

class OwnSource final : public DocumentSource {
 public:
  std::unique_ptr<Batch> next() override { return std::exchange(done_, true) ? nullptr : std::make_unique<OwnBatch>(); }
  void rewind() override { done_ = false; }
  [[nodiscard]] uint32_t source_count() const noexcept override { return 1; }
  [[nodiscard]] std::string_view source_name(uint32_t) const override { return "own"; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return 0; }

 private:
  bool done_ = false;
};

TEST(Rejects, ASourceMaySayAKindOrNone) {
  for (const uint32_t reference_sources : {0u, 1u}) {
    OwnSource source;
    DedupRun run;
    run.source = &source;
    run.reference_sources = reference_sources;
    Options options;
    options.max_rejects = RejectLimit::parse("2");
    const Summary summary = dedup(options, run);
    const RejectCounts& counts = reference_sources == 0 ? summary.rejected_by_kind : summary.reference_rejected_by_kind;
    EXPECT_EQ(counts.to_text(), "1 invalid value, 1 other");
    EXPECT_EQ(summary.rejected_by_kind.total(), summary.rejected);
    EXPECT_EQ(summary.reference_rejected_by_kind.total(), summary.reference_rejected);
  }
}

TEST(RejectLog, WordsTheFirstFewAndCountsAll) {
  RejectLog log;
  std::vector<std::string> warnings{"of another matter"};
  EXPECT_EQ(log.first(), "");
  log.add("a:1", RejectKind::kBrokenJson, "one", warnings);
  log.add("a:2", RejectKind::kTooLong, "two", warnings);
  EXPECT_THAT(warnings, ::testing::ElementsAre("of another matter", "a:1: rejected: one", "a:2: rejected: two"));
  for (int i = 0; i < 10; ++i) log.add("a:3", RejectKind::kTooLong, "more", warnings);
  EXPECT_THAT(warnings, ::testing::SizeIs(1 + kMaxWarnings));
  EXPECT_EQ(log.first(), "a:1: one");
  EXPECT_EQ(log.total(), 12u);
  EXPECT_EQ(log.by_kind()[RejectKind::kTooLong], 11u);
  const RejectTotals totals = log.totals(20);
  EXPECT_EQ(totals.read, 20u);
  EXPECT_EQ(totals.rejected, log.by_kind());
  EXPECT_EQ(totals.first, log.first());
}

}  // namespace
}  // namespace neardup
