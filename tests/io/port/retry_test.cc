#include "io/port/retry.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

TEST(Retry, TransientErrorsAreTriedAgainOthersAreNot) {
  const Patience patience{.attempts = 3, .first_wait = std::chrono::milliseconds(1)};
  int calls = 0;
  EXPECT_EQ(retried(patience,
                    [&] {
                      if (++calls < 3) throw TransientError(ErrorCode::kInput, "away");
                      return 7;
                    }),
            7);
  const auto away = [&]() -> int {
    ++calls;
    throw TransientError(ErrorCode::kInput, "away");
  };
  const auto refused = [&]() -> int {
    ++calls;
    throw Error(ErrorCode::kInput, "no");
  };
  calls = 0;
  EXPECT_THROW(retried(patience, away), TransientError);
  EXPECT_EQ(calls, 3);
  calls = 0;
  EXPECT_THROW(retried(patience, refused), Error);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace neardup
