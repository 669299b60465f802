#include "cli/terminal/progress_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "cli/terminal/text_format.h"

namespace neardup::cli {
namespace {

Progress reading() {
  Progress now;
  now.pass = "sketch";
  now.pass_number = 1;
  now.pass_count = 5;
  now.bytes_done = 449 << 20;
  now.bytes_total = 1024 << 20;
  now.documents = 1234567;
  now.duplicates = 1;
  return now;
}

Pace pace_of_reading() {
  return {.bytes_per_second = 45 << 20, .documents_per_second = 1000, .share = 0.4385, .left_seconds = 62};
}

TEST(ProgressLine, ShowsEverythingWhereThereIsRoom) {
  EXPECT_EQ(
      progress_line(reading(), pace_of_reading(), 199, false),
      "sketch (1/5) [#############-----------------]  43 %, 1:02 left, 45.0 MiB/s, 1,234,567 documents, 1 duplicate, 1.0 GiB in total");
}

TEST(ProgressLine, LeavesOutWhatMattersLeast) {
  const auto at = [](size_t columns) { return progress_line(reading(), pace_of_reading(), columns, false); };
  EXPECT_EQ(at(79), "sketch (1/5) [######---------]  43 %, 1:02 left, 45.0 MiB/s");
  EXPECT_EQ(at(59), "sketch (1/5) [####-------]  43 %, 1:02 left, 45.0 MiB/s");
  EXPECT_EQ(at(40), "sketch (1/5) [###-----]  43 %, 1:02 left");
  EXPECT_EQ(at(38), "sketch (1/5)  43 %, 1:02 left");
  EXPECT_EQ(at(27), "sketch  43 %, 1:02 left");
  EXPECT_EQ(at(19), " 43 %, 1:02 left");
  EXPECT_EQ(at(12), " 43 %, 1:02");
  EXPECT_EQ(at(10), " 43 %");
  EXPECT_EQ(at(4), "");
}

TEST(ProgressLine, NeverIsTooWideNorCutsThePercentageAndTheTime) {
  std::vector<Progress> reports{reading(), reading(), reading()};
  reports[1].documents = reports[1].duplicates = reports[1].bytes_total = std::numeric_limits<uint64_t>::max();
  reports[1].pass_number = reports[1].pass_count = std::numeric_limits<uint32_t>::max();
  reports[2].pass = "features";
  reports[2].pass_count = 0;
  for (const Progress& now : reports) {
    for (const double share : {0.0, 0.05, 0.999, 1.0}) {
      for (const double left : {1.0, 59.6, 86400.0, 1e12}) {
        Pace pace = pace_of_reading();
        pace.share = share;
        pace.left_seconds = left;
        const std::string time = clock_time(left);
        for (size_t columns = 0; columns < 300; ++columns) {
          const std::string line = progress_line(now, pace, columns, false);
          EXPECT_LE(display_width(line), columns) << line;
          if (columns < 19) continue;
          EXPECT_NE(line.find(std::to_string(static_cast<int>(100 * share)) + " %"), std::string::npos) << line;
          EXPECT_NE(line.find(", " + time), std::string::npos) << line;
        }
      }
    }
  }
}

TEST(ProgressLine, AWiderLineShowsNoLess) {
  size_t parts = 0;
  for (size_t columns = 1; columns < 300; ++columns) {
    const std::string line = progress_line(reading(), pace_of_reading(), columns, false);
    const auto now = static_cast<size_t>(std::ranges::count_if(line, [](char c) { return c == ',' || c == '(' || c == '['; }));
    EXPECT_GE(now + 3, parts) << line;  // 1,234,567 has two commas of its own
    parts = std::max(parts, now);
  }
  EXPECT_EQ(parts, 9u);
}

TEST(ProgressLine, OfAnUnknownTotal) {
  Progress now = reading();
  now.bytes_total = now.duplicates = 0;
  Pace pace = pace_of_reading();
  pace.share = pace.left_seconds = std::nullopt;
  EXPECT_EQ(progress_line(now, pace, 100, true), "sketch (1/5) 449.0 MiB, 45.0 MiB/s, 1,234,567 documents");
  EXPECT_EQ(progress_text(now, pace), "sketch (1/5): 449.0 MiB, 45.0 MiB/s, 1,234,567 documents");
}

TEST(ProgressLine, OfAPassOfSteps) {
  Progress now;
  now.pass = "decide";
  now.pass_number = 7;  // of an unknown number
  now.steps_done = 30;
  now.steps_total = 120;
  now.duplicates = 12;
  const Pace pace = pace_of(now, Progress{}, 10);
  EXPECT_EQ(progress_line(now, pace, 59, false), "decide [##---------]  25 %, 0:30 left, 12 duplicates");
  EXPECT_EQ(progress_text(now, pace), "decide: 25 %, 0:30 left, 12 duplicates");
  now.steps_done = 120;
  EXPECT_EQ(progress_text(now, pace_of(now, Progress{}, 10)), "decide: 100 %, 12 duplicates") << "no time is left";
}

TEST(ProgressLine, SaysHundredPercentOnlyAtTheEnd) {
  Pace pace;
  pace.share = 0.99999;
  EXPECT_NE(progress_text(reading(), pace).find(" 99 %"), std::string::npos);
  EXPECT_EQ(progress_line(reading(), pace, 40, false), "sketch (1/5) [#######-]  99 %");
  pace.share = 1;
  EXPECT_EQ(progress_line(reading(), pace, 40, false), "sketch (1/5) [########] 100 %");
}

TEST(ProgressLine, ColorsTheBarOnly) {
  EXPECT_EQ(progress_line(reading(), pace_of_reading(), 40, true), "sketch (1/5) [\033[32m###\033[0m-----]  43 %, 1:02 left");
  EXPECT_EQ(progress_line(reading(), pace_of_reading(), 27, true).find('\033'), std::string::npos);
}

TEST(PaceOf, CountsFromTheFirstReport) {
  Progress first;
  first.bytes_done = 100;
  first.bytes_total = 1000;
  first.documents = 10;
  Progress now = first;
  now.bytes_done = 300;
  now.documents = 50;
  const Pace pace = pace_of(now, first, 2);
  EXPECT_EQ(pace.bytes_per_second, 100);
  EXPECT_EQ(pace.documents_per_second, 20);
  EXPECT_EQ(pace.share, 0.3);
  EXPECT_EQ(pace.left_seconds, 7);
  EXPECT_EQ(pace_of(first, first, 0).left_seconds, std::nullopt);
  Progress more = now;
  more.bytes_total = 0;
  EXPECT_EQ(pace_of(more, first, 1).share, std::nullopt);
  more.bytes_total = 200;
  EXPECT_EQ(pace_of(more, first, 1).share, 1) << "an input that grows";
}

}  // namespace
}  // namespace neardup::cli
