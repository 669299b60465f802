#include "dedup/rethreshold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neardup/error.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;

TEST(Rethreshold, TakesTheBandsOfTheRun) {
  Options stored;
  stored.threshold = 0.5;
  stored.keep = "last";
  const Options now = rethresholded(stored, 0.9, "run");
  EXPECT_EQ(now.threshold.millionths(), 900'000u);
  EXPECT_GT(now.bands, 0u);
  EXPECT_EQ(now.keep, "last");
  stored.bands = now.bands;
  stored.rows_per_band = now.rows_per_band;
  const Options again = rethresholded(stored, 0.5, "run");
  EXPECT_EQ(again.bands, now.bands);
  EXPECT_EQ(again.rows_per_band, now.rows_per_band);
  EXPECT_TRUE(has_same_sketches(stored, now));
}

void expect_refused(const Options& stored, std::string_view why) {
  try {
    static_cast<void>(rethresholded(stored, 0.9, "run"));
    ADD_FAILURE() << why;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr(std::string(why)));
  }
}

TEST(Rethreshold, RefusesRunsThatTheThresholdDoesNotDecide) {
  Options options;
  options.threshold = 0.95;
  expect_refused(options, "has the threshold 0.95");
  options.threshold = 0.5;
  options.search = Search::kExact;
  expect_refused(options, "compares all pairs");
  options.search = Search::kLsh;
  options.verify = Verify::kFalse;
  expect_refused(options, "verifies nothing");
  options.verify = Verify::kTrue;
  options.measure = Measure::kContainment;
  expect_refused(options, "measures containment");
  options = Options();
  options.recipe = "simhash-words-3";
  expect_refused(options, "by their distance");
}

}  // namespace
}  // namespace neardup
