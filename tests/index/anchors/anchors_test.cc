#include "index/anchors/anchors.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "base/hash.h"
#include "index/anchors/anchors_reference.h"
#include "text/clue/clue_form.h"
#include "text/text_generators.h"

namespace neardup {
namespace {

std::vector<Anchor> text_anchors_of(std::string_view form, const AnchorShape& shape = {}) {
  std::vector<Anchor> out{{1, 2, 3}};
  AnchorScratch scratch;
  text_anchors(form, shape, scratch, out);
  return out;
}
std::vector<ClueAnchor> certain_anchors_of(std::string_view form, const AnchorShape& shape = {}) {
  std::vector<ClueAnchor> out{{1, 2, 3, 4}};
  AnchorScratch scratch;
  certain_anchors(form, shape, scratch, out);
  return out;
}
std::vector<ClueAnchor> clue_grams_of(std::string_view form, const AnchorShape& shape = {}) {
  std::vector<ClueAnchor> out{{1, 2, 3, 4}};
  AnchorScratch scratch;
  clue_grams(form, shape, scratch, out);
  return out;
}

std::string anchors_form_of(std::string_view text) {
  static const ClueForm form(false);
  std::string out;
  ClueForm::Scratch scratch;
  form.form(text, out, scratch);
  return out;
}

// Code points of a form from few characters, so that grams repeat; of many kinds, so that columns and bytes vary.
std::string random_form(std::mt19937& random, size_t points, int alphabet) {
  static const std::vector<std::u32string> kAlphabets = {
      U"abcdefghijklmnopqrstuvwxyz0123456789",   U"ab",           U"a", U"的一是不了人我在有他这中大来上国个到说们", U"中文",
      U"a中 b文é한か\u30FC\U00020000\U00010400", U"кириллицаαβγ",
  };
  const std::u32string& letters = kAlphabets[static_cast<size_t>(alphabet) % kAlphabets.size()];
  std::u32string form;
  while (form.size() < points) form.push_back(letters[random() % letters.size()]);
  return testing::utf8(form);
}
constexpr int kRandomAlphabets = 7;

std::vector<size_t> cuts_of(std::string_view form) {
  std::vector<size_t> cuts;
  for (size_t at = 0; at <= form.size(); ++at) {
    if (at == form.size() || (static_cast<uint8_t>(form[at]) & 0xC0) != 0x80) cuts.push_back(at);
  }
  return cuts;
}

uint32_t columns_in(std::string_view form) {
  uint32_t columns = 0;
  for (size_t at = 0; at < form.size();) {
    const Decoded decoded = decode_utf8(form, at);
    columns += columns_of(decoded.code_point);
    at += decoded.length;
  }
  return columns;
}

bool meets(const ClueAnchor& clue, const std::vector<Anchor>& anchors) {
  return std::ranges::any_of(
      anchors, [&](const Anchor& anchor) { return anchor.hash == clue.hash && ((anchor.context ^ clue.context) & clue.known) == 0; });
}

const std::vector<AnchorShape> kShapes = {{}, {6, 1}, {8, 3}, {6, 33}, {12, 24}, {7, 5}, {1, 1}, {2, 9}, {6, 251}};

TEST(Anchors, ShapesAndTheirRuns) {
  EXPECT_EQ(AnchorShape{}.min_run_latin(), 23u);
  EXPECT_EQ(AnchorShape{}.min_run_wide(), 11u);
  EXPECT_EQ(AnchorShape::of_min_run(23), AnchorShape{});
  for (uint32_t run = 6; run <= AnchorShape::kMaxMinRun; ++run) EXPECT_EQ(AnchorShape::of_min_run(run).min_run_latin(), run);
}

TEST(Anchors, HashIsTheTopOfXxh3) {
  const std::vector<ClueAnchor> grams = clue_grams_of("licensed und");
  ASSERT_EQ(grams.size(), 7u);
  EXPECT_EQ(grams[0].hash, hash64("licens") >> 32);
  EXPECT_EQ(grams[6].begin, 6u);
  EXPECT_EQ(grams[6].hash, hash64("ed und") >> 32);
  EXPECT_EQ(grams[0].known, 0b000'111'000'000) << "nothing on the left, four columns on the right; the next two are not a whole cell";
  EXPECT_EQ(grams[0].context >> 6 & 7, hash64("ed u") >> 61);
  EXPECT_EQ(grams[4].known, 0b000'000'000'111);
  EXPECT_EQ(grams[4].context & 7, hash64("lice") >> 61);
}

// The kinds of grams of narrow code points, by the definition.
TEST(Anchors, OpenGramsComeFirstThenClosedOnes) {
  std::mt19937 random(7);
  const AnchorShape wide{.gram = 6, .window = 1000};
  const auto sub_hash = [](std::string_view sub) {
    return (static_cast<uint64_t>(sub[0]) | static_cast<uint64_t>(sub[1]) << 8) * 0x9E3779B97F4A7C15u >> 33;
  };
  const auto kind = [&](std::string_view gram) {
    size_t smallest = 0;
    for (size_t i = 1; i < 5; ++i) smallest = sub_hash(gram.substr(i, 2)) < sub_hash(gram.substr(smallest, 2)) ? i : smallest;
    return smallest == 2 ? 0 : smallest == 0 || smallest == 4 ? 1 : 2;
  };
  std::array<int, 3> chosen = {};
  for (int turn = 0; turn < 300; ++turn) {
    const std::string form = random_form(random, 144 + random() % 3, 0);  // no short form, and no whole window: the first gram of all
    const std::vector<Anchor> anchors = text_anchors_of(form, wide);
    ASSERT_EQ(anchors.size(), 1u);
    int least = 2;
    for (size_t i = 0; i + 6 <= form.size(); ++i) least = std::min(least, kind(std::string_view(form).substr(i, 6)));
    EXPECT_EQ(kind(std::string_view(form).substr(anchors[0].begin, 6)), least);
    ++chosen[static_cast<size_t>(least)];
  }
  EXPECT_EQ(chosen[0], 300) << "every fifth gram is open";
}

TEST(Anchors, FormsShorterThanAGram) {
  EXPECT_TRUE(text_anchors_of("").empty());
  EXPECT_TRUE(certain_anchors_of("").empty());
  EXPECT_TRUE(clue_grams_of("").empty());
  for (const std::string form : {"a", "ab", "中", "中文", "abc d"}) {
    ASSERT_EQ(text_anchors_of(form).size(), 1u) << form;
    EXPECT_EQ(text_anchors_of(form)[0].hash, hash64(form + '\0') >> 32) << form;
    ASSERT_EQ(clue_grams_of(form).size(), 1u) << form;
    EXPECT_EQ(clue_grams_of(form)[0].hash, text_anchors_of(form)[0].hash) << form;
    EXPECT_EQ(clue_grams_of(form)[0].known, 0u) << form;
    EXPECT_TRUE(certain_anchors_of(form).empty()) << form;
  }
  EXPECT_NE(text_anchors_of("ab")[0].hash, text_anchors_of("abc")[0].hash);
  EXPECT_EQ(text_anchors_of("中文字")[0].hash, hash64("中文字") >> 32) << "exactly a gram";
}

TEST(Anchors, ShortTextsHaveMoreAnchors) {
  std::mt19937 random(1);
  const std::string form = random_form(random, 200, 0);
  for (size_t size = 6; size < 16; ++size) EXPECT_EQ(text_anchors_of(form.substr(0, size)).size(), size - 5) << "windows of one column";
  for (size_t size = 24; size < 144; ++size) {
    const size_t anchors = text_anchors_of(form.substr(0, size)).size();
    EXPECT_GE(anchors, 7u) << size;
    EXPECT_LE(anchors, 22u) << size;
  }
  EXPECT_EQ(text_anchors_of(form.substr(0, 144), {6, 251}).size(), 1u) << "144 columns and no whole window: the first gram of all";
  EXPECT_GE(text_anchors_of(form.substr(0, 143), {6, 251}).size(), 10u) << "windows of 17 columns";
}

// A random order has two anchors per window and one gram: 2/19, and 2/10 for ideographs.
TEST(Anchors, DensityIsBelowThatOfARandomOrder) {
  std::mt19937 random(2);
  const auto latin = static_cast<double>(text_anchors_of(random_form(random, 100000, 0)).size());
  EXPECT_LT(latin, 0.95 * 2.0 / 19 * 100000);
  EXPECT_GT(latin, 0.88 * 2.0 / 19 * 100000);
  std::u32string ideographs;
  while (ideographs.size() < 100000) ideographs.push_back(static_cast<char32_t>(0x4E00 + random() % 5000));
  const auto wide = static_cast<double>(text_anchors_of(testing::utf8(ideographs)).size());
  EXPECT_LT(wide, 0.95 * 2.0 / 10 * 100000);
  EXPECT_GT(wide, 0.88 * 2.0 / 10 * 100000);
}

TEST(Anchors, MinRunIsSufficientAndTight) {
  std::mt19937 random(3);
  for (const AnchorShape& shape : kShapes) {
    for (int turn = 0; turn < 50; ++turn) {
      const std::string latin = random_form(random, shape.min_run_latin(), 0);
      EXPECT_FALSE(certain_anchors_of(latin, shape).empty());
      EXPECT_TRUE(certain_anchors_of(latin.substr(1), shape).empty());
      EXPECT_FALSE(certain_anchors_of(random_form(random, shape.min_run_wide(), 3), shape).empty());
      const std::string mixed = random_form(random, 2 * shape.min_run_latin(), 5);  // of any columns from the guaranteed number on
      for (const size_t cut : cuts_of(mixed)) {
        if (columns_in(mixed.substr(0, cut)) < shape.min_run_latin()) continue;
        EXPECT_FALSE(certain_anchors_of(mixed.substr(0, cut), shape).empty()) << mixed.substr(0, cut);
        break;
      }
    }
  }
  EXPECT_TRUE(certain_anchors_of(random_form(random, 10, 3)).empty());
}

TEST(Anchors, EqualReferenceOnForms) {
  std::mt19937 random(4);
  for (int alphabet = 0; alphabet < kRandomAlphabets; ++alphabet) {
    for (size_t points = 0; points < 90; ++points) {
      const std::string form = random_form(random, points, alphabet);
      for (const AnchorShape& shape : kShapes) {
        ASSERT_EQ(text_anchors_of(form, shape), reference_text_anchors(form, shape)) << form;
        ASSERT_EQ(certain_anchors_of(form, shape), reference_certain_anchors(form, shape)) << form;
        ASSERT_EQ(clue_grams_of(form, shape), reference_clue_grams(form, shape)) << form;
      }
    }
  }
}

RC_GTEST_PROP(Anchors, EqualReferenceOnTexts, ()) {
  const std::string form = anchors_form_of(*testing::text());
  const AnchorShape shape = *rc::gen::elementOf(kShapes);
  RC_ASSERT(text_anchors_of(form, shape) == reference_text_anchors(form, shape));
  RC_ASSERT(certain_anchors_of(form, shape) == reference_certain_anchors(form, shape));
  RC_ASSERT(clue_grams_of(form, shape) == reference_clue_grams(form, shape));
}

// The guarantee. For all parts of a form: each certain anchor of the part is an anchor of the whole, with a context that agrees.
void check_all_parts(const std::string& form, const AnchorShape& shape) {
  const std::vector<Anchor> anchors = text_anchors_of(form, shape);
  const std::vector<size_t> cuts = cuts_of(form);
  for (size_t i = 0; i < cuts.size(); ++i) {
    for (size_t j = i + 1; j < cuts.size(); ++j) {
      const std::string part = form.substr(cuts[i], cuts[j] - cuts[i]);
      const std::vector<ClueAnchor> certain = certain_anchors_of(part, shape);
      ASSERT_TRUE(!certain.empty() || columns_in(part) < shape.min_run_latin()) << part;
      for (const ClueAnchor& anchor : certain) {
        ASSERT_TRUE(meets(anchor, anchors)) << part << " in " << form;
        // More: the very place is an anchor of the whole.
        ASSERT_TRUE(std::ranges::any_of(anchors, [&](const Anchor& other) { return other.begin == anchor.begin + cuts[i]; })) << part;
      }
    }
  }
}

TEST(Anchors, EveryTextWithTheClueHasItsCertainAnchors) {
  std::mt19937 random(5);
  for (int alphabet = 0; alphabet < kRandomAlphabets; ++alphabet) {
    for (const size_t points : {3, 23, 24, 57, 70, 130}) {
      const std::string form = random_form(random, points, alphabet);
      for (const AnchorShape& shape : {AnchorShape{}, AnchorShape{6, 1}, AnchorShape{8, 5}, AnchorShape{12, 24}})
        check_all_parts(form, shape);
    }
  }
}

// The same from text to text: a clue that is cut out of a text at any character, in the middle of a word too.
RC_GTEST_PROP(Anchors, ClueCutOutOfAText, ()) {
  std::string text;
  for (int i = 0; i < 4; ++i) text += *testing::text();
  ClueForm form(false);
  ClueForm::Scratch scratch;
  std::string whole;
  std::vector<ClueForm::Place> places;
  form.form_with_places(text, whole, places, scratch);
  RC_PRE(places.size() > 24);
  const size_t first = *rc::gen::inRange<size_t>(0, places.size() - 12);
  const size_t last = *rc::gen::inRange<size_t>(first + 11, places.size());
  const std::string clue = anchors_form_of(std::string_view(text).substr(places[first].begin, places[last].end - places[first].begin));
  const std::vector<ClueAnchor> certain = certain_anchors_of(clue);
  const std::vector<Anchor> anchors = text_anchors_of(whole);
  for (const ClueAnchor& anchor : certain) RC_ASSERT(meets(anchor, anchors));
}

// Every gram of a clue at which the text has an anchor agrees with it: clues with edits look up all of them.
TEST(Anchors, GramsOfAPartAgreeWithAnchors) {
  std::mt19937 random(6);
  for (int alphabet = 0; alphabet < kRandomAlphabets; ++alphabet) {
    const std::string form = random_form(random, 100, alphabet);
    const std::vector<Anchor> anchors = text_anchors_of(form);
    const std::vector<size_t> cuts = cuts_of(form);
    for (size_t i = 0; i + 20 < cuts.size(); ++i) {
      for (const ClueAnchor& gram : clue_grams_of(form.substr(cuts[i], cuts[i + 20] - cuts[i]))) {
        for (const Anchor& anchor : anchors) {
          if (anchor.begin != gram.begin + cuts[i]) continue;
          EXPECT_EQ(anchor.hash, gram.hash);
          EXPECT_EQ((anchor.context ^ gram.context) & gram.known, 0);
        }
      }
    }
  }
}

TEST(Anchors, AScratchReturnsTheMemoryOfALongForm) {
  AnchorScratch scratch;
  std::vector<Anchor> anchors;
  text_anchors(std::string(3 << 20, 'a'), {}, scratch, anchors);
  EXPECT_GT(scratch.orders.capacity(), size_t{3} << 20);
  text_anchors("licensed under the apache license", {}, scratch, anchors);
  EXPECT_LT(scratch.orders.capacity(), 100u);
  EXPECT_EQ(anchors, text_anchors_of("licensed under the apache license"));
}

TEST(Anchors, RunsOfOneCharacter) {
  const std::string form(1000, 'a');
  const std::vector<Anchor> anchors = text_anchors_of(form);
  std::set<std::pair<uint64_t, uint16_t>> different;
  for (const Anchor& anchor : anchors) different.emplace(anchor.hash, anchor.context);
  EXPECT_LE(different.size(), 9u) << "only the contexts at the ends differ";
  EXPECT_EQ(anchors, reference_text_anchors(form, {}));
}

}  // namespace
}  // namespace neardup
