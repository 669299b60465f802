#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace neardup {
namespace {

constexpr uint32_t kThreads[] = {1, 2, 3, 8};

TEST(ParallelFor, VisitsEverythingOnce) {
  for (const uint32_t threads : kThreads) {
    for (const size_t count : {size_t{0}, size_t{1}, size_t{7}, size_t{1000}}) {
      std::vector<std::atomic<int>> visits(count);
      parallel_for(threads, count, 3, [&](uint32_t worker, size_t i) {
        EXPECT_LT(worker, threads);
        ++visits[i];
      });
      for (const auto& visit : visits) EXPECT_EQ(visit, 1);
    }
  }
}

TEST(ParallelFor, RethrowsTheLowestOfWhatFailed) {
  for (const uint32_t threads : kThreads) {
    try {
      parallel_for(threads, 100, 1, [&](uint32_t, size_t i) {
        if (i == 0 || i == 50) throw std::runtime_error(std::to_string(i));
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "0");
    }
  }
}

TEST(OrderedLine, CommitsInOrderAndNeverSharesASlot) {
  for (const uint32_t threads : kThreads) {
    constexpr uint64_t kItems = 500;
    std::vector<std::atomic<int>> in_slot(OrderedLine::slot_count(threads));
    std::vector<uint64_t> committed;
    std::atomic<int> taking{0};
    OrderedLine::run(
        threads,
        [&](uint64_t ordinal, size_t slot) {
          EXPECT_EQ(taking.fetch_add(1), 0);
          if (ordinal < kItems) {
            EXPECT_EQ(in_slot[slot].fetch_add(1), 0);
          }
          --taking;
          return ordinal < kItems;
        },
        [&](uint32_t, uint64_t ordinal, size_t) {
          if (ordinal % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));  // overtaken by later ones
        },
        [&](uint64_t ordinal, size_t slot) {
          committed.push_back(ordinal);
          in_slot[slot] = 0;
        });
    std::vector<uint64_t> expected(kItems);
    std::iota(expected.begin(), expected.end(), uint64_t{0});
    EXPECT_EQ(committed, expected);
  }
}

TEST(OrderedLine, AnErrorAnywhereEndsTheLine) {
  for (const uint32_t threads : kThreads) {
    for (const char* where : {"take", "work", "commit"}) {
      uint64_t committed = 0;
      const auto fail_at = [&](const char* stage, uint64_t ordinal) {
        if (std::string(stage) == where && ordinal == 20) throw std::runtime_error(where);
      };
      try {
        OrderedLine::run(
            threads,
            [&](uint64_t ordinal, size_t) {
              fail_at("take", ordinal);
              return ordinal < 1000;
            },
            [&](uint32_t, uint64_t ordinal, size_t) { fail_at("work", ordinal); },
            [&](uint64_t ordinal, size_t) {
              fail_at("commit", ordinal);
              ++committed;
            });
        FAIL() << where;
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), where);
      }
      EXPECT_LE(committed, 20u) << where;
    }
  }
}

}  // namespace
}  // namespace neardup
