// The kernel that counts what two feature sets have in common, of every instruction set, against std::set_intersection.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/kernels.h"
#include "support/kernel_test.h"

namespace neardup::kernels {
namespace {

class CommonKernels : public neardup::testing::KernelTest {};

// In memory of its own size, so that a sanitizer sees reads beyond it.
std::vector<uint64_t> random_set(std::mt19937_64& random, size_t count, uint64_t mask) {
  std::vector<uint64_t> set(count);
  for (uint64_t& value : set) value = random() & mask;
  std::ranges::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return {set.begin(), set.end()};
}

size_t common_of(const uint64_t* a, const uint64_t* a_end, const uint64_t* b, const uint64_t* b_end) {
  std::vector<uint64_t> both;
  std::set_intersection(a, a_end, b, b_end, std::back_inserter(both));
  return both.size();
}

TEST_P(CommonKernels, WhatIsPassedAndWhatIsLeftMakeTheWhole) {
  if (unit().count_common == nullptr) return;
  std::mt19937_64 random(1);
  for (int round = 0; round < 4000; ++round) {
    const uint64_t mask = round % 3 == 0 ? ~uint64_t{0} : round % 3 == 1 ? 0x3F : 0x3FF;
    const auto a = random_set(random, random() % 300, mask);
    const auto b = round % 7 == 0 ? a : random_set(random, random() % 300, mask);
    SetScan sets{.a = a.data(), .a_end = a.data() + a.size(), .b = b.data(), .b_end = b.data() + b.size()};
    const uint64_t passed = unit().count_common(sets, 0);
    ASSERT_LE(sets.a, sets.a_end);
    ASSERT_LE(sets.b, sets.b_end);
    // Less than a vector of one of them is left.
    ASSERT_LT(std::min(sets.a_end - sets.a, sets.b_end - sets.b), 8);
    ASSERT_EQ(passed + common_of(sets.a, sets.a_end, sets.b, sets.b_end), common_of(a.data(), sets.a_end, b.data(), sets.b_end));
  }
}

// All pairs of small sizes, at both ends of the range.
TEST_P(CommonKernels, SmallSets) {
  if (unit().count_common == nullptr) return;
  std::mt19937_64 random(3);
  for (const uint64_t first : {uint64_t{0}, ~uint64_t{0} - 40}) {
    for (size_t size_a = 0; size_a <= 18; ++size_a) {
      for (size_t size_b = 0; size_b <= 18; ++size_b) {
        std::vector<uint64_t> all(41);
        std::iota(all.begin(), all.end(), first);
        std::vector<uint64_t> a;
        std::vector<uint64_t> b;
        std::ranges::sample(all, std::back_inserter(a), static_cast<std::ptrdiff_t>(size_a), random);
        std::ranges::sample(all, std::back_inserter(b), static_cast<std::ptrdiff_t>(size_b), random);
        a.shrink_to_fit();
        b.shrink_to_fit();
        SetScan sets{.a = a.data(), .a_end = a.data() + size_a, .b = b.data(), .b_end = b.data() + size_b};
        const uint64_t passed = unit().count_common(sets, 0);
        ASSERT_EQ(passed + common_of(sets.a, sets.a_end, sets.b, sets.b_end), common_of(a.data(), sets.a_end, b.data(), sets.b_end));
      }
    }
  }
}

TEST_P(CommonKernels, StopsOnlyWhenTooFewAreLeft) {
  if (unit().count_common == nullptr) return;
  std::mt19937_64 random(2);
  for (int round = 0; round < 4000; ++round) {
    const auto a = random_set(random, random() % 300, 0x1FF);
    const auto b = random_set(random, random() % 300, 0x1FF);
    const size_t whole = common_of(a.data(), a.data() + a.size(), b.data(), b.data() + b.size());
    const uint64_t required = random() % 300;
    SetScan sets{.a = a.data(), .a_end = a.data() + a.size(), .b = b.data(), .b_end = b.data() + b.size()};
    const uint64_t passed = unit().count_common(sets, required);
    const size_t left = common_of(sets.a, sets.a_end, sets.b, sets.b_end);
    ASSERT_EQ(passed + left, whole);
    if (whole >= required) {
      ASSERT_LT(std::min(sets.a_end - sets.a, sets.b_end - sets.b), 8) << "stopped although enough are common";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CommonKernels, neardup::testing::every_kernel_unit(), neardup::testing::kernel_unit_name);

}  // namespace
}  // namespace neardup::kernels
