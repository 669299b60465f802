#include "neardup/tools/nearest_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace neardup {
namespace {

// Optimal string alignment by its recurrence, the whole table.
size_t slow_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> table(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
    }
  }
  return table[a.size()][b.size()];
}

class NearestNamesTest : public ::testing::TestWithParam<std::string> {};

// Short names, and long ones that have much in common and differ at both ends.
TEST_P(NearestNamesTest, AgreeWithTheSlowTwin) {
  std::mt19937 random(7);
  const auto name = [&] {
    const auto letters = [&] {
      std::string made;
      for (size_t i = random() % 9; i > 0; --i) made.push_back(static_cast<char>('a' + random() % 3));
      return made;
    };
    return random() % 2 == 0 ? GetParam() + letters() : letters() + GetParam() + letters();
  };
  for (int round = 0; round < 300; ++round) {
    const std::string wanted = name();
    std::vector<std::string> names;
    for (int i = 0; i < 40; ++i) names.push_back(name());
    NearestNames nearest(wanted, 3);
    std::vector<std::pair<size_t, std::string>> expected;
    for (const std::string& each : names) {
      nearest.look(each);
      const auto part = [](const std::string& a, const std::string& b) { return a.size() >= 3 && (b.starts_with(a) || b.ends_with(a)); };
      size_t distance = slow_distance(wanted, each);
      if (distance > 1 && (part(wanted, each) || part(each, wanted))) distance = 1;
      const bool seen = std::ranges::any_of(expected, [&](const auto& pair) { return pair.second == each; });
      if (distance <= std::clamp<size_t>(wanted.size() / 3, 1, NearestNames::kMaxEdits) && !seen) expected.emplace_back(distance, each);
    }
    std::ranges::stable_sort(expected, {}, [](const auto& pair) { return pair.first; });
    std::vector<std::string> first;
    for (size_t i = 0; i < std::min<size_t>(3, expected.size()); ++i) first.push_back(expected[i].second);
    EXPECT_EQ(nearest.names(), first) << wanted;
  }
}

INSTANTIATE_TEST_SUITE_P(Lengths, NearestNamesTest,
                         ::testing::Values("", "abacabcabbcacbaabcabcacbacbacbbacbacbaabcabbcabcab", std::string(30, 'a'),
                                           std::string(57, 'b'), std::string(80, 'c')));

TEST(NearestNames, TakeAnyBytes) {
  NearestNames none("x", 0);
  none.look("x");
  EXPECT_TRUE(none.names().empty());
  NearestNames empty("", 2);
  empty.look("");
  empty.look("a");
  EXPECT_EQ(empty.names(), (std::vector<std::string>{"", "a"}));
  NearestNames bytes(std::string("\0\xFF", 2) + "abc", 2);
  bytes.look(std::string("\0\xFE", 2) + "abc");
  EXPECT_EQ(bytes.names().size(), 1u);
  NearestNames longer(std::string(5000, 'x'), 2);
  longer.look(std::string(5000, 'y'));
  longer.look(std::string(900, 'x'));
  EXPECT_EQ(longer.names().size(), 1u) << "the beginning of it";
}

}  // namespace
}  // namespace neardup
