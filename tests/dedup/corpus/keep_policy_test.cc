#include "dedup/corpus/keep_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "neardup/error.h"

namespace neardup {
namespace {

TEST(KeepPolicy, KnowsItsWords) {
  EXPECT_TRUE(KeepPolicy::parse("first").is_input_order());
  EXPECT_TRUE(KeepPolicy::parse("auto").is_input_order());
  EXPECT_TRUE(KeepPolicy::parse("auto").is_auto());
  EXPECT_FALSE(KeepPolicy::parse("first").is_auto());
  EXPECT_TRUE(KeepPolicy::parse("max:n,shortest").prefers_shorter());
  EXPECT_FALSE(KeepPolicy::parse("max:n,longest").prefers_shorter());
  EXPECT_THROW(KeepPolicy::parse("auto,longest"), Error);
  EXPECT_FALSE(KeepPolicy::parse("source-order,longest").is_input_order());
  EXPECT_EQ(KeepPolicy::parse("max:meta.score").field(), "meta.score");
  for (const char* text : {"", "newest", "max:", "max", "first,", ",first", "max:a,min:b", "First"})
    EXPECT_THROW(KeepPolicy::parse(text), Error) << text;
}

TEST(KeepPolicy, NumbersOrderLikeTheirKeys) {
  const double values[] = {-std::numeric_limits<double>::infinity(), -1e300, -2, -1, -1e-300, 0, 1e-300, 1, 1.5, 2, 1e300};
  for (size_t i = 1; i < std::size(values); ++i) EXPECT_LT(rank_key(values[i - 1]), rank_key(values[i]));
  EXPECT_EQ(rank_key(-0.0), rank_key(0.0));
  EXPECT_GT(rank_key(-std::numeric_limits<double>::infinity()), kNoValue);
}

// Every policy must be a strict total order, or the scan would depend on how it is sorted.
TEST(KeepPolicy, IsAStrictTotalOrder) {
  std::mt19937_64 random(1);
  std::vector<RankInputs> documents;
  for (uint32_t i = 0; i < 60; ++i) {
    documents.push_back({.reference = i < 5,
                         .is_protected = i >= 5 && i % 7 == 0,
                         .source = i / 20,
                         .document = i,
                         .text_bytes = random() % 4,
                         .value_key = random() % 3 == 0 ? kNoValue : rank_key(static_cast<double>(random() % 3))});
  }
  for (const char* text :
       {"first", "last", "longest", "shortest", "source-order", "max:f", "min:f", "source-order,longest", "max:f,last", "shortest,min:f"}) {
    const KeepPolicy policy = KeepPolicy::parse(text);
    for (const auto& a : documents) {
      for (const auto& b : documents) {
        EXPECT_EQ(policy.before(a, b) + policy.before(b, a), a.document == b.document ? 0 : 1) << text;
        EXPECT_TRUE(!a.reference || b.reference || policy.before(a, b)) << text;
        EXPECT_TRUE(!a.is_protected || b.reference || b.is_protected || policy.before(a, b)) << text;
        for (const auto& c : documents) {
          EXPECT_TRUE(!policy.before(a, b) || !policy.before(b, c) || policy.before(a, c)) << text;
        }
      }
    }
  }
}

TEST(KeepPolicy, MeansWhatItSays) {
  const RankInputs early{.source = 0, .document = 0, .text_bytes = 10, .value_key = rank_key(5)};
  const RankInputs late{.source = 1, .document = 1, .text_bytes = 20, .value_key = rank_key(7)};
  const RankInputs none{.source = 1, .document = 2, .text_bytes = 20, .value_key = kNoValue};
  EXPECT_TRUE(KeepPolicy::parse("first").before(early, late));
  EXPECT_TRUE(KeepPolicy::parse("last").before(late, early));
  EXPECT_TRUE(KeepPolicy::parse("longest").before(late, early));
  EXPECT_TRUE(KeepPolicy::parse("longest").before(late, none));
  EXPECT_TRUE(KeepPolicy::parse("shortest").before(early, late));
  EXPECT_TRUE(KeepPolicy::parse("max:f").before(late, early));
  EXPECT_TRUE(KeepPolicy::parse("min:f").before(early, late));
  EXPECT_TRUE(KeepPolicy::parse("max:f").before(early, none));
  EXPECT_TRUE(KeepPolicy::parse("min:f").before(late, none));
  EXPECT_TRUE(KeepPolicy::parse("source-order,longest").before(early, late));
}

}  // namespace
}  // namespace neardup
