#include "store/removals.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

TEST(Removals, CopyStaysAsItWas) {
  Removals removals;
  removals.add(7, 1);
  const Removals copy = removals;
  removals.add(8, 2);
  EXPECT_TRUE(removals.kill(8, 1));
  EXPECT_FALSE(copy.kill(8, 1));
  EXPECT_EQ(copy.size(), 1u);
  removals.forget(1);
  EXPECT_EQ(removals.size(), 1u);
  EXPECT_TRUE(copy.kill(7, 0));
}

TEST(Removals, OriginalStaysWhenACopyChanges) {
  Removals removals({{1, 1}, {2, 5}});
  Removals copy = removals;
  Removals second = copy;
  copy.forget(1);
  second = Removals({{9, 9}});
  EXPECT_EQ(copy.list(), (std::vector<IdRemoval>{{2, 5}}));
  EXPECT_EQ(second.list(), (std::vector<IdRemoval>{{9, 9}}));
  EXPECT_EQ(removals.list(), (std::vector<IdRemoval>{{1, 1}, {2, 5}}));
  EXPECT_TRUE(removals.concern(4));
}

}  // namespace
}  // namespace neardup
