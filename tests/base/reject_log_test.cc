#include "neardup/tools/reject_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neardup {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(RejectLog, WordsTheFirstFewAndCountsAll) {
  RejectLog log;
  std::vector<std::string> warnings{"of another matter"};
  EXPECT_EQ(log.first(), "");
  log.add("a:1", RejectKind::kBrokenJson, "one", warnings);
  log.add("a:2", RejectKind::kTooLong, "two", warnings);
  EXPECT_THAT(warnings, ElementsAre("of another matter", "a:1: rejected: one", "a:2: rejected: two"));
  for (int i = 0; i < 10; ++i) log.add("a:3", RejectKind::kTooLong, "more", warnings);
  EXPECT_THAT(warnings, SizeIs(1 + kMaxWarnings));
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
