#include "dedup/pass/pass_clock.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace neardup {
namespace {

TEST(PassClock, NumbersPassesAndSumsThemUpByName) {
  std::vector<Progress> reports;
  std::vector<std::string> names;  // Progress::pass lives as long as the call
  PassClock clock([&](const Progress& progress) {
    reports.push_back(progress);
    names.emplace_back(progress.pass);
  });
  clock.expect_passes(5);
  clock.totals().duplicates = 7;
  for (const uint64_t bytes : {10u, 20u}) {
    clock.timed("sketch", [&] { return bytes; });
    clock.timed("group", [&] { return bytes / 10; });
  }
  ASSERT_EQ(clock.reports().size(), 2u);
  EXPECT_EQ(clock.reports()[0].name, "sketch");
  EXPECT_EQ(clock.reports()[0].bytes, 30u);
  EXPECT_EQ(clock.reports()[1].name, "group");
  EXPECT_EQ(clock.reports()[1].bytes, 3u);
  ASSERT_EQ(reports.size(), 4u) << "each pass says that it begins";
  for (uint32_t i = 0; i < reports.size(); ++i) {
    EXPECT_EQ(names[i], i % 2 == 0 ? "sketch" : "group");
    EXPECT_EQ(reports[i].pass_number, i + 1);
    EXPECT_EQ(reports[i].pass_count, 5u);
    EXPECT_EQ(reports[i].duplicates, 7u);
  }
}

TEST(PassClock, SkippedPassesCountAsFinished) {
  PassClock clock({});
  clock.skip_passes(1);
  EXPECT_EQ(clock.totals().pass_number, 0u) << "where the number of passes is unknown, passes are only counted";
  clock.expect_passes(4);
  clock.skip_passes(2);
  clock.timed("decide", [] { return 0u; });
  EXPECT_EQ(clock.totals().pass_number, 3u);
  clock.skip_passes(7);
  EXPECT_EQ(clock.totals().pass_number, 4u) << "never beyond the last";
  EXPECT_EQ(clock.totals().pass_count, 4u);
}

}  // namespace
}  // namespace neardup
