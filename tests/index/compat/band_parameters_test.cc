#include "neardup/tools/band_parameters.h"

#include <gtest/gtest.h>

#include "neardup/error.h"

namespace neardup {
namespace {

// What datasketch 2.0.0 with SciPy answers; python/tests compares many more.
TEST(BandParameters, OfMinHashLsh) {
  struct Case {
    BandQuestion question;
    uint32_t bands, rows;
  };
  const Case cases[] = {
      {{0.9, 128, 0.5, 0.5}, 5, 25}, {{0.8, 128, 0.5, 0.5}, 9, 13},    {{0.5, 128, 0.5, 0.5}, 25, 5},
      {{0.5, 16, 0.5, 0.5}, 5, 3},   {{0.8, 128, 0.25, 0.75}, 11, 11}, {{0.05, 64, 0.75, 0.25}, 18, 1},
      {{0.99, 32, 0.0, 1.0}, 9, 1},  {{0.0, 128, 0.5, 0.5}, 128, 1},   {{0.7, 256, 0.5, 0.5}, 25, 10},
  };
  for (const Case& c : cases) {
    const BandParameters best = datasketch_lsh_parameters(c.question);
    EXPECT_EQ(best.bands, c.bands) << c.question.threshold << ", " << c.question.lanes;
    EXPECT_EQ(best.rows, c.rows) << c.question.threshold << ", " << c.question.lanes;
  }
}

TEST(BandParameters, OfMinHashLshEnsemble) {
  struct Case {
    BandQuestion question;
    uint32_t max_rows;
    double size_ratio;
    uint32_t bands, rows;
  };
  const Case cases[] = {
      {{0.9, 128, 0.5, 0.5}, 8, 0.006737946999085467, 1, 8},
      {{0.9, 128, 0.5, 0.5}, 8, 1.0, 3, 8},
      {{0.5, 128, 0.5, 0.5}, 8, 0.5738, 25, 5},
      {{0.5, 64, 0.5, 0.5}, 4, 20.0, 50, 1},
      {{0.8, 128, 0.25, 0.75}, 16, 148.4, 128, 1},
      {{0.2, 32, 0.5, 0.5}, 8, 0.1, 1, 8},
  };
  for (const Case& c : cases) {
    const BandParameters best = datasketch_ensemble_parameters(c.question, c.max_rows, c.size_ratio);
    EXPECT_EQ(best.bands, c.bands) << c.question.threshold << ", " << c.size_ratio;
    EXPECT_EQ(best.rows, c.rows) << c.question.threshold << ", " << c.size_ratio;
  }
}

TEST(BandParameters, StopsWhenAsked) {
  EXPECT_THROW(datasketch_lsh_parameters({.lanes = 1'000'000}, [] { return true; }), Error);
}

}  // namespace
}  // namespace neardup
