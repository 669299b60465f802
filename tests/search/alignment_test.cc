#include "search/alignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace neardup {
namespace {

// The slow twin: rows of the table of edit distances. Row 0 is 0 everywhere if the passage may begin anywhere.
std::vector<uint32_t> last_row(const std::u32string& pattern, const std::u32string& text, bool anchored) {
  std::vector<uint32_t> row(text.size() + 1, 0);
  for (size_t j = 0; anchored && j < row.size(); ++j) row[j] = static_cast<uint32_t>(j);
  for (size_t i = 1; i <= pattern.size(); ++i) {
    uint32_t diagonal = row[0];
    row[0] = static_cast<uint32_t>(i);
    for (size_t j = 1; j < row.size(); ++j) {
      const uint32_t best = std::min({diagonal + (pattern[i - 1] == text[j - 1] ? 0 : 1), row[j] + 1, row[j - 1] + 1});
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row;
}

std::u32string mirrored(std::u32string text) {
  std::ranges::reverse(text);
  return text;
}

// As best() is defined: the first end, the longest passage to the left, then to the right.
std::optional<Occurrence> slow_best(const std::u32string& pattern, const std::u32string& text, uint32_t max_edits) {
  const std::vector<uint32_t> row = last_row(pattern, text, false);
  const auto smallest = std::min_element(row.begin() + 1, row.end());
  if (text.empty() || *smallest > max_edits) return std::nullopt;
  const auto end = static_cast<size_t>(smallest - row.begin());
  Occurrence best{.edits = *smallest};
  const std::vector<uint32_t> left = last_row(mirrored(pattern), mirrored(text.substr(0, end)), true);
  for (size_t length = 1; length < left.size(); ++length) {
    if (left[length] == best.edits) best.begin = static_cast<uint32_t>(end - length);
  }
  const std::vector<uint32_t> right = last_row(pattern, text.substr(best.begin), true);
  for (size_t length = 1; length < right.size(); ++length) {
    if (right[length] == best.edits) best.end = best.begin + static_cast<uint32_t>(length);
  }
  return best;
}

std::vector<Occurrence> slow_all(const std::u32string& pattern, const std::u32string& text, uint32_t max_edits) {
  std::vector<Occurrence> all;
  size_t from = 0;
  while (from < text.size()) {
    const std::u32string rest = text.substr(from);
    const std::vector<uint32_t> row = last_row(pattern, rest, false);
    const auto first = std::find_if(row.begin() + 1, row.end(), [=](uint32_t edits) { return edits <= max_edits; });
    if (first == row.end()) break;
    const auto limit = static_cast<size_t>(first - row.begin()) + pattern.size() - 1;
    std::optional<Occurrence> best = slow_best(pattern, rest.substr(0, limit), max_edits);
    // The end may lie beyond the ends that were compared.
    const std::vector<uint32_t> right = last_row(pattern, rest.substr(best->begin), true);
    for (size_t length = 1; length < right.size(); ++length) {
      if (right[length] == best->edits) best->end = best->begin + static_cast<uint32_t>(length);
    }
    all.push_back({best->begin + static_cast<uint32_t>(from), best->end + static_cast<uint32_t>(from), best->edits});
    from += best->end;
  }
  return all;
}

std::u32string random_text(std::mt19937_64& random, size_t length, uint32_t letters, char32_t first) {
  std::u32string text;
  for (size_t i = 0; i < length; ++i) text.push_back(first + static_cast<char32_t>(random() % letters));
  return text;
}

std::u32string edited(std::u32string text, size_t edits, std::mt19937_64& random, uint32_t letters, char32_t first) {
  for (size_t i = 0; i < edits && !text.empty(); ++i) {
    const size_t at = random() % text.size();
    const char32_t letter = first + static_cast<char32_t>(random() % letters);
    if (random() % 3 == 0) {
      text.erase(at, 1);
    } else if (random() % 2 == 0) {
      text.insert(at, 1, letter);
    } else {
      text[at] = letter;
    }
  }
  return text;
}

void expect_as_slow_twin(const std::u32string& pattern, const std::u32string& text, uint32_t max_edits) {
  const Aligner aligner(pattern);
  Aligner::Scratch scratch;
  const std::optional<Occurrence> expected = slow_best(pattern, text, max_edits);
  EXPECT_EQ(aligner.best(text, max_edits, scratch), expected);
  const std::optional<uint32_t> distance = aligner.distance(text, max_edits, scratch);
  ASSERT_EQ(distance.has_value(), expected.has_value());
  if (distance) {
    EXPECT_EQ(*distance, expected->edits);
  }
  std::vector<Occurrence> all;
  aligner.all(text, max_edits, scratch, all);
  EXPECT_EQ(all, slow_all(pattern, text, max_edits));
}

TEST(Aligner, EqualsTheTableOnRandomTexts) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 3000; ++trial) {
    const auto letters = static_cast<uint32_t>(1 + random() % 4);
    const char32_t first = random() % 2 == 0 ? U'a' : U'\u4e00';
    const std::u32string pattern = random_text(random, 1 + random() % 12, letters, first);
    const std::u32string text = random_text(random, random() % 40, letters, first);
    expect_as_slow_twin(pattern, text, static_cast<uint32_t>(random() % pattern.size()));
  }
}

// Patterns around the borders of the blocks of 64 rows, planted with edits.
TEST(Aligner, EqualsTheTableOnLongPatterns) {
  std::mt19937_64 random(12);
  for (const size_t length : {63, 64, 65, 127, 128, 129, 200, 300}) {
    for (int trial = 0; trial < 12; ++trial) {
      const std::u32string pattern = random_text(random, length, 20, U'a');
      std::u32string text = random_text(random, random() % 200, 20, U'a');
      for (uint64_t copies = random() % 3; copies > 0; --copies) {
        text += edited(pattern, random() % (length / 5), random, 20, U'a') + random_text(random, random() % 100, 20, U'a');
      }
      expect_as_slow_twin(pattern, text, static_cast<uint32_t>(length / 4));
    }
  }
}

TEST(Aligner, PrefersASubstitutionAtTheEnds) {
  const std::u32string pattern = U"abcdef";
  const Aligner aligner(pattern);
  Aligner::Scratch scratch;
  EXPECT_EQ(aligner.best(U"--abcdeX--", 1, scratch), (Occurrence{2, 8, 1}));
  EXPECT_EQ(aligner.best(U"--Xbcdef--", 1, scratch), (Occurrence{2, 8, 1}));
  EXPECT_EQ(aligner.best(U"--abdef--", 1, scratch), (Occurrence{2, 7, 1}));
  EXPECT_EQ(aligner.best(U"--abcXdef--", 1, scratch), (Occurrence{2, 9, 1}));
  EXPECT_EQ(aligner.best(U"--abXYef--", 1, scratch), std::nullopt);
}

TEST(Aligner, FindsPassagesThatDoNotOverlap) {
  const std::u32string pattern = U"aaaa";
  const Aligner aligner(pattern);
  Aligner::Scratch scratch;
  std::vector<Occurrence> all;
  aligner.all(U"aaaaaaaaaa", 0, scratch, all);
  EXPECT_EQ(all, (std::vector<Occurrence>{{0, 4, 0}, {4, 8, 0}}));
  aligner.all(U"", 1, scratch, all);
  EXPECT_TRUE(all.empty());
}

}  // namespace
}  // namespace neardup
