#include "neardup/tools/rank_filter.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "neardup/error.h"

namespace neardup {
namespace {

TEST(RankFilter, HasWhatWasAddedAndFewOthers) {
  std::mt19937_64 random(95);
  std::set<int64_t> ranks;
  while (ranks.size() < 20'000) ranks.insert(static_cast<int64_t>(random() >> (random() % 60)) - 5000);
  RankFilter filter(RankFilter::bytes_for(ranks.size()));
  for (const int64_t rank : ranks) filter.add(rank);
  for (const int64_t rank : ranks) ASSERT_TRUE(filter.has(rank));
  uint64_t others = 0;
  uint64_t found = 0;
  for (int64_t rank = -50'000; rank < 50'000; ++rank) {
    if (ranks.contains(rank)) continue;
    ++others;
    found += static_cast<uint64_t>(filter.has(rank));
  }
  EXPECT_LT(found, others / 50) << "12 bits a rank leave less than 2% in a filter in blocks";
}

TEST(RankFilter, MergesAndSaves) {
  RankFilter whole(4096);
  RankFilter odd(4096);
  RankFilter even(4096);
  for (int64_t rank = 0; rank < 1000; ++rank) {
    whole.add(rank);
    (rank % 2 == 0 ? even : odd).add(rank);
  }
  EXPECT_NE(odd.save(), whole.save());
  odd.merge(RankFilter::load(even.save()));
  EXPECT_EQ(odd.save(), whole.save());
  EXPECT_EQ(RankFilter::load(whole.save()).save(), whole.save());
}

TEST(RankFilter, RefusesWhatIsNone) {
  EXPECT_THROW(RankFilter(0), Error);
  EXPECT_THROW(RankFilter(RankFilter::kMaxBytes + 1), Error);
  const std::string bytes = RankFilter(64).save();
  EXPECT_THROW(RankFilter::load(bytes.substr(0, bytes.size() - 1)), Error);
  EXPECT_THROW(RankFilter::load(""), Error);
  EXPECT_THROW(RankFilter::load("\x02" + bytes.substr(1)), Error);
  std::string no_words = bytes.substr(0, 12);
  no_words.replace(4, 8, 8, '\0');
  EXPECT_THROW(RankFilter::load(no_words), Error);
  RankFilter filter(64);
  EXPECT_THROW(filter.merge(RankFilter(128)), Error);
  EXPECT_EQ(RankFilter::bytes_for(0), 64u);
  EXPECT_EQ(RankFilter::bytes_for(~uint64_t{0}), uint64_t{64} << 20);
}

}  // namespace
}  // namespace neardup
