#include "dedup/report/reject_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "neardup/error.h"

namespace neardup {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Record rejected(RejectKind kind, std::string_view problem) {
  Record record;
  record.problem = problem;
  record.reject_kind = kind;
  return record;
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    return error.what();
  }
  return "";
}

TEST(RejectTally, CountsAllAndNamesTheFirstFew) {
  RejectTally tally{RejectLimit()};
  std::vector<std::string> warnings;
  for (uint64_t row = 1; row <= 1000; ++row) tally.add(rejected(RejectKind::kBrokenJson, "bad"), "a.jsonl", row, warnings);
  EXPECT_EQ(tally.total(), 1000u);
  EXPECT_EQ(tally.by_kind()[RejectKind::kBrokenJson], 1000u);
  EXPECT_THAT(warnings, SizeIs(kMaxWarnings));
  EXPECT_EQ(warnings.front(), "a.jsonl:1: rejected: bad");
  EXPECT_EQ(error_of([&] { tally.finish(100'000); }), "");
  EXPECT_THAT(error_of([&] { tally.finish(99'999); }),
              HasSubstr("too many records rejected: 1,000 of 99,999 (more than 1%): 1,000 broken JSON. "
                        "The first: a.jsonl:1: bad"));
}

TEST(RejectTally, ANumberOfRecordsFailsTheRunAtOnce) {
  RejectTally tally(RejectLimit::parse("2"), " of the reference corpus");
  std::vector<std::string> warnings;
  tally.add(rejected(RejectKind::kTooLong, "one"), "a", 7, warnings);
  tally.add(rejected(RejectKind::kTooLong, "two"), "a", 8, warnings);
  EXPECT_THAT(error_of([&] { tally.add(rejected(RejectKind::kTooLong, "three"), "a", 9, warnings); }),
              HasSubstr("more records of the reference corpus rejected than --max-rejects 2 accepts: 3 too long. The first: a:7: one"));
}

TEST(RejectTally, DamageFailsTheRunUnlessAllIsAccepted) {
  std::vector<std::string> warnings;
  const Record damaged = rejected(RejectKind::kDamaged, "gzip stream is truncated after 17 bytes");
  for (const char* limit : {"auto", "1000", "99%"}) {
    RejectTally tally(RejectLimit::parse(limit));
    EXPECT_THAT(error_of([&] { tally.add(damaged, "a.jsonl.gz", 3, warnings); }),
                HasSubstr("a.jsonl.gz:3: damaged input: gzip stream is truncated after 17 bytes"));
  }
  EXPECT_THAT(warnings, ElementsAre());
  RejectTally tally(RejectLimit::accept_all());
  tally.add(damaged, "a.jsonl.gz", 3, warnings);
  EXPECT_EQ(error_of([&] { tally.finish(1); }), "");
  // A record of an intact archive is another matter.
  RejectTally bodies{RejectLimit()};
  bodies.add(rejected(RejectKind::kBrokenBody, "a chunk has no size"), "a.warc", 3, warnings);
  EXPECT_EQ(error_of([&] { bodies.finish(2); }), "");
}

}  // namespace
}  // namespace neardup
