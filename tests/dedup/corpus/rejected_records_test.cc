// RejectedRecords against a slow twin: a list of all records.
#include "dedup/corpus/rejected_records.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace neardup {
namespace {

RejectedRecords made_of(const std::vector<bool>& rejected) {
  RejectedRecords records;
  for (uint32_t i = 0; i < rejected.size(); ++i) {
    if (rejected[i]) records.add(i);
  }
  return records;
}

void expect_twin(const RejectedRecords& records, const std::vector<bool>& rejected) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < rejected.size(); ++i) {
    RC_ASSERT(records.contains(i) == rejected[i]);
    RC_ASSERT(records.before(i) == before);
    if (rejected[i]) {
      ++before;
    } else {
      RC_ASSERT(records.record_of(i - before) == i);
    }
  }
  RC_ASSERT(records.count() == before);
  // After the last one all records are documents.
  const auto end = static_cast<uint32_t>(rejected.size());
  for (uint32_t i = end; i < end + 200; ++i) {
    RC_ASSERT(!records.contains(i));
    RC_ASSERT(records.before(i) == before);
    RC_ASSERT(records.record_of(i - before) == i);
  }
}

RC_GTEST_PROP(RejectedRecords, AgreeWithAListOfAllRecords, ()) {
  // Runs of both kinds, of lengths around those of words.
  std::vector<bool> rejected;
  const auto runs = *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, 150));
  for (size_t i = 0; i < runs.size(); ++i) rejected.insert(rejected.end(), runs[i], i % 2 == 1);
  expect_twin(made_of(rejected), rejected);
}

RC_GTEST_PROP(RejectedRecords, AgreeWhenKindsMix, (const std::vector<bool>& rejected)) {
  expect_twin(made_of(rejected), rejected);
}

RC_GTEST_PROP(RejectedRecords, RoundTripAsBits, (const std::vector<bool>& rejected)) {
  RejectedRecords records;
  records.assign(made_of(rejected).bits());
  expect_twin(records, rejected);
}

TEST(RejectedRecords, TakeABitEach) {
  RejectedRecords records;
  for (uint32_t i = 0; i < 1'000'000; ++i) records.add(i);
  EXPECT_EQ(records.count(), 1'000'000u);
  EXPECT_EQ(records.bits().size(), 1'000'000u / 64);
  EXPECT_EQ(records.record_of(0), 1'000'000u);
  records.clear();
  EXPECT_EQ(records.count(), 0u);
  EXPECT_EQ(records.record_of(5), 5u);
}

}  // namespace
}  // namespace neardup
