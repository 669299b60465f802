// What a run accepts: the option's text, the bounds, and the messages of a run that fails.
#include "neardup/tools/reject_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "neardup/error.h"

namespace neardup {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string message_of(const RejectLimit& limit, uint64_t read, uint64_t rejected, std::string_view unit = "record") {
  RejectTotals totals{.read = read, .first = "a.jsonl:1: no field 'text'", .unit = unit};
  totals.rejected.add(RejectKind::kMissingField, rejected);
  try {
    check_rejects(limit, totals);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    return error.what();
  }
  return "";
}

TEST(RejectLimit, TextAndBack) {
  for (const char* text : {"auto", "0", "1", "100", "18446744073709551615", "0%", "5%", "0.5%", "0.0001%", "99.9999%", "100%"}) {
    EXPECT_EQ(RejectLimit::parse(text).to_text(), text);
  }
  EXPECT_EQ(RejectLimit::parse("05.50%").to_text(), "5.5%");
  EXPECT_EQ(RejectLimit(), RejectLimit::parse("auto"));
}

TEST(RejectLimit, RefusesWhatIsNeitherACountNorAPercentage) {
  for (const char* text :
       {"", "%", "-1", "1.5", "101%", "100.0001%", "1.23456%", "1.%", ".5%", "5 %", "never", "18446744073709551616", "1e3"}) {
    try {
      RejectLimit::parse(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_THAT(error.what(), AllOf(HasSubstr("max_rejects: expected auto"), HasSubstr("'" + std::string(text) + "'")));
    }
  }
}

TEST(RejectLimit, BoundsAreInclusive) {
  const RejectLimit standard;
  EXPECT_FALSE(standard.exceeded_by(998, 999)) << "too few records were read to judge by";
  EXPECT_FALSE(standard.exceeded_by(10, 1000));
  EXPECT_TRUE(standard.exceeded_by(11, 1000));
  EXPECT_FALSE(standard.surpassed_by(1'000'000)) << "a share is known at the end only";

  const RejectLimit count = RejectLimit::parse("100");
  EXPECT_FALSE(count.exceeded_by(100, 101));
  EXPECT_TRUE(count.exceeded_by(101, 1'000'000));
  EXPECT_FALSE(count.surpassed_by(100));
  EXPECT_TRUE(count.surpassed_by(101));
  EXPECT_TRUE(RejectLimit::parse("0").surpassed_by(1));

  const RejectLimit share = RejectLimit::parse("5%");
  EXPECT_FALSE(share.exceeded_by(1, 20));
  EXPECT_TRUE(share.exceeded_by(1, 19)) << "a share that was asked for counts from the first record on";
  EXPECT_TRUE(RejectLimit::parse("0%").exceeded_by(1, ~uint64_t{0}));
  EXPECT_FALSE(RejectLimit::parse("100%").exceeded_by(7, 7));
  EXPECT_TRUE(RejectLimit::parse("100%").accepts_all());
  EXPECT_FALSE(RejectLimit::parse("99.9999%").accepts_all());
  // No rounding, however large the numbers.
  const RejectLimit half = RejectLimit::parse("50%");
  EXPECT_FALSE(half.exceeded_by(uint64_t{1} << 62, uint64_t{1} << 63));
  EXPECT_TRUE(half.exceeded_by((uint64_t{1} << 62) + 1, uint64_t{1} << 63));
}

TEST(RejectLimit, NothingUsableFails) {
  EXPECT_EQ(message_of({}, 0, 0), "") << "an input without records is no error";
  EXPECT_EQ(message_of({}, 5, 0), "");
  EXPECT_EQ(message_of({}, 5, 4), "");
  EXPECT_THAT(message_of({}, 1, 1),
              HasSubstr("no record could be used: 1 record rejected: 1 missing the text field. The first: a.jsonl:1: no"));
  EXPECT_THAT(message_of(RejectLimit::parse("5000"), 4500, 4500, "row"),
              HasSubstr("no row could be used: 4,500 rows rejected: 4,500 missing"));
  EXPECT_EQ(message_of(RejectLimit::accept_all(), 5, 5), "");
}

TEST(RejectLimit, TooManyFail) {
  EXPECT_THAT(message_of({}, 4500, 240), HasSubstr("too many records rejected: 240 of 4,500 (more than 1%): 240 missing the text field"));
  EXPECT_THAT(message_of(RejectLimit::parse("2.5%"), 100, 3), HasSubstr("(2.5% accepted by --max-rejects)"));
  EXPECT_EQ(message_of(RejectLimit::parse("2.5%"), 120, 3), "");
}

}  // namespace
}  // namespace neardup
