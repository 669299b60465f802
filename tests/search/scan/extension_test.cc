#include "search/scan/extension.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace neardup {
namespace {

// The smallest edit distance of the pattern to a beginning of the text, by the whole table.
size_t distance_to_beginning(const std::u32string& pattern, const std::u32string& text) {
  std::vector<size_t> row(text.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= pattern.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j < row.size(); ++j) {
      const size_t replaced = diagonal + static_cast<size_t>(pattern[i - 1] != text[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return *std::min_element(row.begin(), row.end());
}

TEST(Extension, EqualsTheWholeTable) {
  std::mt19937_64 random(91);
  std::vector<char32_t> scratch;
  size_t close = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::u32string pattern;
    for (size_t length = random() % 12; length > 0; --length) pattern += U'a' + static_cast<char32_t>(random() % 3);
    std::u32string text = pattern.substr(random() % 2 == 0 ? 0 : std::min<size_t>(pattern.size(), random() % 3));
    for (uint64_t edits = random() % 4; edits > 0 && !text.empty(); --edits) text[random() % text.size()] = U'b';
    for (size_t length = random() % 4; length > 0; --length) text += U'a' + static_cast<char32_t>(random() % 3);
    const auto edits = static_cast<uint32_t>(random() % (kMaxExtensionEdits + 1));
    size_t at = 0;
    const bool found = extends(
        pattern.size(), edits, [&](size_t i) { return pattern[i]; },
        [&] { return at < text.size() ? std::optional(text[at++]) : std::nullopt; }, scratch);
    EXPECT_EQ(found, distance_to_beginning(pattern, text) <= edits);
    close += static_cast<size_t>(found);
  }
  EXPECT_GT(close, 5000u);
  EXPECT_LT(close, 15'000u);
}

}  // namespace
}  // namespace neardup
