#include "neardup/stop.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/parallel.h"

namespace neardup {
namespace {

ErrorCode code_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::kUsage;
}

TEST(Stop, OnlyInsideAScope) {
  const StopFunction always = [] { return true; };
  EXPECT_NO_THROW(check_stop());
  {
    const StopScope scope(&always);
    EXPECT_EQ(code_of([] { check_stop(); }), ErrorCode::kStopped);
    const StopScope none(nullptr);
    EXPECT_NO_THROW(check_stop());
  }
  EXPECT_NO_THROW(check_stop());
  EXPECT_EQ(code_of([&] { check_stop(always); }), ErrorCode::kStopped);
}

TEST(Stop, EndsParallelLoops) {
  constexpr size_t kItems = 1'000'000;
  constexpr size_t kGrain = 16;
  for (const uint32_t threads : {1u, 3u}) {
    std::atomic<size_t> done{0};
    const StopFunction stop = [&] { return done >= 1000; };
    const StopScope scope(&stop);
    EXPECT_EQ(code_of([&] { parallel_for(threads, kItems, kGrain, [&](uint32_t, size_t) { ++done; }); }), ErrorCode::kStopped);
    EXPECT_GE(done, 1000u);
    EXPECT_LE(done, 1000 + threads * kGrain) << "each worker ends its block";
  }
}

TEST(Stop, EndsLoopsInsideParallelLoops) {
  const StopFunction always = [] { return true; };
  const StopScope scope(&always);
  std::atomic<int> inner{0};
  EXPECT_EQ(code_of([&] { parallel_for(2, 8, 1, [&](uint32_t, size_t) { parallel_for(2, 8, 1, [&](uint32_t, size_t) { ++inner; }); }); }),
            ErrorCode::kStopped);
  EXPECT_EQ(inner, 0);
}

TEST(Stop, EndsAnOrderedLine) {
  std::atomic<uint64_t> committed{0};
  const StopFunction stop = [&] { return committed >= 10; };
  const StopScope scope(&stop);
  EXPECT_EQ(code_of([&] {
              OrderedLine::run(
                  2, [](uint64_t, size_t) { return true; }, [](uint32_t, uint64_t, size_t) {}, [&](uint64_t, size_t) { ++committed; });
            }),
            ErrorCode::kStopped);
}

}  // namespace
}  // namespace neardup
