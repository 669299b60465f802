#include "neardup/tools/meeting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>

#include "index/lsh/band_keys.h"

namespace neardup {
namespace {

std::string some_text(std::mt19937& random, size_t words) {
  std::string text;
  for (size_t i = 0; i < words; ++i) text += "w" + std::to_string(random() % 500) + " ";
  return text;
}

std::string changed(std::string text, std::mt19937& random) {
  text[random() % text.size()] = 'x';
  return text;
}

TEST(Meeting, BandsAreThoseOfTheSearch) {
  const Sketcher sketcher(Recipe::load("words-5"));
  const LshPlan plan{.bands = 21, .rows = 6};
  std::mt19937 random(1);
  uint32_t met = 0;
  for (int round = 0; round < 50; ++round) {
    const std::string a = some_text(random, 80);
    const std::string b = changed(a, random);
    const Meeting meeting = find_meeting(sketcher, a, b, plan.bands, plan.rows, 3);
    Sketcher::Scratch scratch;
    std::vector<uint32_t> sketch(sketcher.sketch_words());
    std::vector<uint8_t> rows[2];
    sketcher.sketch(a, scratch, sketch);
    BandKeys::append_row(plan, sketch, rows[0]);
    sketcher.sketch(b, scratch, sketch);
    BandKeys::append_row(plan, sketch, rows[1]);
    EXPECT_EQ(meeting.equal_bands.size(), BandKeys::common_bands(plan, rows[0].data(), rows[1].data()));
    for (const uint32_t band : meeting.equal_bands) {
      EXPECT_EQ(BandKeys::load(rows[0].data() + band * BandKeys::kKeyBytes), BandKeys::load(rows[1].data() + band * BandKeys::kKeyBytes));
    }
    met += !meeting.equal_bands.empty();
  }
  EXPECT_GT(met, 25u);
}

TEST(Meeting, BlocksFollowThePigeonholePrinciple) {
  for (const char* recipe : {"simhash-words-3", "simhash-chars-4"}) {
    const Sketcher sketcher(Recipe::load(recipe));
    std::mt19937 random(2);
    for (int round = 0; round < 50; ++round) {
      const std::string a = some_text(random, 60);
      const std::string b = changed(changed(a, random), random);
      for (const uint32_t distance : {0u, 3u, 6u, 12u, 127u}) {
        const Meeting meeting = find_meeting(sketcher, a, b, 0, 0, distance);
        ASSERT_FALSE(meeting.too_short);
        Sketcher::Scratch scratch;
        std::vector<uint32_t> words_a(sketcher.sketch_words());
        std::vector<uint32_t> words_b(sketcher.sketch_words());
        sketcher.sketch(a, scratch, words_a);
        sketcher.sketch(b, scratch, words_b);
        uint32_t differing = 0;
        for (size_t i = 0; i < words_a.size(); ++i) differing += static_cast<uint32_t>(std::popcount(words_a[i] ^ words_b[i]));
        EXPECT_EQ(meeting.differing_bits.size(), differing);
        EXPECT_EQ(meeting.block_ends.size(), std::min(distance, meeting.bits - 1) + 1);
        EXPECT_EQ(meeting.block_ends.back(), meeting.bits);
        EXPECT_TRUE(std::ranges::is_sorted(meeting.block_ends));
        EXPECT_TRUE(differing > distance || !meeting.equal_blocks.empty());
        // A block is equal or has a differing bit, never both.
        for (uint32_t block = 0, begin = 0; block < meeting.block_ends.size(); begin = meeting.block_ends[block++]) {
          const bool equal = std::ranges::find(meeting.equal_blocks, block) != meeting.equal_blocks.end();
          const bool differs =
              std::ranges::any_of(meeting.differing_bits, [&](uint32_t bit) { return bit >= begin && bit < meeting.block_ends[block]; });
          EXPECT_NE(equal, differs);
        }
      }
    }
  }
}

TEST(Meeting, ShortTextsMeetNowhere) {
  for (const char* recipe : {"words-5", "simhash-words-3"}) {
    const Meeting meeting = find_meeting(Sketcher(Recipe::load(recipe)), "one", "", 21, 6, 3);
    EXPECT_TRUE(meeting.too_short);
    EXPECT_TRUE(meeting.equal_bands.empty());
    EXPECT_TRUE(meeting.equal_blocks.empty());
  }
}

}  // namespace
}  // namespace neardup
