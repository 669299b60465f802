// Every kind of edit changes what its strength says, counted by an independent comparison.
#include "jobs/generate/edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "text/utf8/utf8.h"

namespace neardup::generate_detail {
namespace {

using Words = std::vector<std::string>;

// Texts of random words: letters of a small alphabet, numbers; or ideographs.
std::string spaced_text(uint64_t seed, size_t sentences) {
  Random random(seed);
  std::string text;
  for (size_t i = 0; i < sentences; ++i) {
    const size_t words = 5 + random.below(12);
    for (size_t k = 0; k < words; ++k) {
      if (k > 0) text += k % 5 == 0 ? ", " : " ";
      if (random.below(12) == 0) {
        text += std::to_string(random.below(3000));
        continue;
      }
      const size_t letters = 2 + random.below(6);
      for (size_t j = 0; j < letters; ++j) text += static_cast<char>('a' + random.below(20));
    }
    text += i % 4 == 3 ? ".\n" : ". ";
  }
  return text;
}

std::string unspaced_text(uint64_t seed, size_t sentences) {
  Random random(seed);
  std::string text;
  for (size_t i = 0; i < sentences; ++i) {
    const size_t characters = 8 + random.below(20);
    for (size_t k = 0; k < characters; ++k) {
      if (random.below(30) == 0) text += "，";
      append_utf8(static_cast<char32_t>(0x4E00 + random.below(5000)), text);
    }
    text += i % 4 == 3 ? "。\n" : "。";
  }
  return text;
}

Words words_of(std::string_view text) {
  const TextUnits units(text);
  Words words;
  for (size_t i = 0; i < units.size(); ++i) words.emplace_back(units.unit(i));
  return words;
}

std::vector<char32_t> characters_of(std::string_view text) {
  std::vector<char32_t> characters;
  for (size_t at = 0; at < text.size();) {
    const Decoded next = decode_utf8(text, at);
    characters.push_back(next.code_point);
    at += next.length;
  }
  return characters;
}

// The longest common subsequence, by the table.
template <typename Items>
size_t common_in_order(const Items& a, const Items& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = 0;
    for (size_t k = 0; k < b.size(); ++k) {
      const size_t above = row[k + 1];
      row[k + 1] = a[i] == b[k] ? diagonal + 1 : std::max(above, row[k]);
      diagonal = above;
    }
  }
  return row.back();
}

std::multiset<std::string> bag(const Words& words) {
  return {words.begin(), words.end()};
}

class EditTest : public ::testing::TestWithParam<std::tuple<bool, std::string>> {
 protected:
  EditTest() {
    for (uint64_t i = 0; i < 12; ++i) texts_.push_back(unspaced() ? unspaced_text(i, 12) : spaced_text(i, 15));
    for (const std::string& text : texts_) units_.emplace_back(text);
    donors_.emplace(units_);
  }

  [[nodiscard]] static bool unspaced() { return std::get<0>(GetParam()); }

  // Calls check(original, wanted strength, copy) for every text.
  template <typename Check>
  void each(MakeEdit make, const Check& check) {
    const EditStrength strength = EditStrength::parse(std::get<1>(GetParam()));
    size_t applied = 0;
    for (size_t i = 0; i < texts_.size(); ++i) {
      Random random(77 + i);
      const std::optional<Edited> made = make({i, *donors_, strength}, random);
      if (!made) continue;
      ++applied;
      EXPECT_TRUE(is_valid_utf8(made->text));
      EXPECT_NE(made->text, texts_[i]);
      EXPECT_GE(made->changed, 1u);
      EXPECT_LE(made->changed, made->units);
      check(texts_[i], strength, *made);
      Random again(77 + i);
      EXPECT_EQ(make({i, *donors_, strength}, again)->text, made->text);
    }
    EXPECT_GT(applied, texts_.size() / 2);
  }

  std::vector<std::string> texts_;
  std::vector<TextUnits> units_;
  std::optional<Donors> donors_;
};

INSTANTIATE_TEST_SUITE_P(, EditTest,
                         ::testing::Combine(::testing::Bool(), ::testing::Values<std::string>("1", "3", "1%", "5%", "20%", "50%")));

TEST_P(EditTest, InsertAddsWords) {
  each(insert_words, [](const std::string& original, const EditStrength& strength, const Edited& made) {
    const Words before = words_of(original);
    const Words after = words_of(made.text);
    EXPECT_EQ(made.units, before.size());
    EXPECT_EQ(made.changed, strength.of(before.size()));
    EXPECT_EQ(after.size(), before.size() + made.changed);
    EXPECT_EQ(common_in_order(before, after), before.size());
  });
}

TEST_P(EditTest, DeleteTakesWords) {
  each(delete_words, [](const std::string& original, const EditStrength& strength, const Edited& made) {
    const Words before = words_of(original);
    const Words after = words_of(made.text);
    EXPECT_EQ(made.changed, strength.of(before.size()));
    EXPECT_EQ(after.size(), before.size() - made.changed);
    EXPECT_EQ(common_in_order(before, after), after.size());
  });
}

TEST_P(EditTest, ReplaceChangesWordsInPlace) {
  each(replace_words, [](const std::string& original, const EditStrength& strength, const Edited& made) {
    const Words before = words_of(original);
    const Words after = words_of(made.text);
    EXPECT_EQ(made.changed, strength.of(before.size()));
    ASSERT_EQ(after.size(), before.size());
    size_t different = 0;
    for (size_t i = 0; i < before.size(); ++i) different += before[i] != after[i];
    EXPECT_EQ(different, made.changed);
  });
}

TEST_P(EditTest, TruncateKeepsTheBeginning) {
  each(truncate_text, [](const std::string& original, const EditStrength& strength, const Edited& made) {
    EXPECT_TRUE(original.starts_with(made.text));
    EXPECT_EQ(made.changed, strength.of(made.units));
    EXPECT_EQ(words_of(made.text).size(), words_of(original).size() - made.changed);
  });
}

TEST_P(EditTest, ReorderMovesWholeSentences) {
  each(reorder_sentences, [](const std::string& original, const EditStrength& strength, const Edited& made) {
    EXPECT_EQ(bag(words_of(made.text)), bag(words_of(original)));
    EXPECT_NE(words_of(made.text), words_of(original));
    const TextUnits units(original);
    size_t longest = 0;
    for (const TextUnits::Sentence& each : units.sentences()) longest = std::max(longest, each.last - each.first);
    EXPECT_GE(made.changed, strength.of(units.size()));
    EXPECT_LT(made.changed, strength.of(units.size()) + longest);
    // What did not move is still in order.
    EXPECT_GE(common_in_order(words_of(original), words_of(made.text)), units.size() - made.changed);
  });
}

TEST_P(EditTest, BoilerplateSurroundsTheText) {
  each(add_prefix, [](const std::string& original, const EditStrength& strength, const Edited& made) {
    EXPECT_TRUE(made.text.ends_with("\n" + original));
    EXPECT_EQ(words_of(made.text).size() - words_of(original).size(), strength.of(made.units));
  });
  each(add_suffix, [](const std::string& original, const EditStrength& strength, const Edited& made) {
    EXPECT_TRUE(made.text.starts_with(original + "\n"));
    EXPECT_EQ(words_of(made.text).size() - words_of(original).size(), strength.of(made.units));
  });
}

TEST_P(EditTest, OcrChangesCharacters) {
  each(misread_characters, [](const std::string& original, const EditStrength& strength, const Edited& made) {
    const auto before = characters_of(original);
    EXPECT_EQ(made.changed, strength.of(made.units));
    size_t letters = 0;
    for (const std::string& word : words_of(original)) letters += characters_of(word).size();
    EXPECT_EQ(made.units, letters);
    EXPECT_GE(common_in_order(before, characters_of(made.text)), before.size() - made.changed);
  });
}

TEST_P(EditTest, PunctuationLeavesTheWords) {
  each(change_punctuation, [](const std::string& original, const EditStrength& strength, const Edited& made) {
    EXPECT_EQ(words_of(made.text), words_of(original));
    EXPECT_EQ(made.changed, strength.of(made.units));
    const TextUnits before(original);
    const TextUnits after(made.text);
    size_t different = 0;
    for (size_t i = 1; i < before.size(); ++i) different += before.gap(i) != after.gap(i);
    EXPECT_EQ(different, made.changed);
  });
}

TEST_P(EditTest, TemplateChangesFactsOnly) {
  each(change_facts, [](const std::string& original, const EditStrength& strength, const Edited& made) {
    EXPECT_GE(made.changed, strength.of(made.units));
    const Words before = words_of(original);
    const Words after = words_of(made.text);
    ASSERT_EQ(after.size(), before.size());
    if (unspaced()) return;                       // of two characters, one may be the same
    std::map<std::string, std::string> replaced;  // each fact by one other
    size_t different = 0;
    for (size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(replaced.emplace(before[i], after[i]).first->second, after[i]);
      different += before[i] != after[i];
    }
    EXPECT_EQ(different, made.changed);
  });
}

TEST_P(EditTest, QuoteHasAPassage) {
  each(quote_passage, [](const std::string& original, const EditStrength& strength, const Edited& made) {
    EXPECT_EQ(made.changed, strength.of(made.units));
    const size_t begin = made.text.find("“") + std::string("“").size();
    const std::string passage = made.text.substr(begin, made.text.find("”") - begin);
    EXPECT_NE(original.find(passage), std::string::npos);
    EXPECT_EQ(words_of(passage).size(), made.changed);
    EXPECT_GE(words_of(made.text).size(), words_of(original).size()) << "the other text is as long";
  });
}

// Edits without a strength.
std::optional<Edited> edit_once(MakeEdit make, const std::string& text) {
  const std::vector<TextUnits> units{TextUnits(text), TextUnits("another text")};
  const Donors donors(units);
  const EditStrength strength = EditStrength::parse("1");
  Random random(1);
  return make({0, donors, strength}, random);
}

TEST(Edits, WidthVanishesInNfkc) {
  const std::optional<Edited> wide = edit_once(change_width, "版本3.5的API说明文档");
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->text, "版本３．５的ＡＰＩ说明文档");
  EXPECT_EQ(wide->changed, 6u);
  EXPECT_EQ(wide->units, 13u);
  EXPECT_EQ(edit_once(change_width, wide->text)->text, "版本3.5的API说明文档");
  EXPECT_FALSE(edit_once(change_width, "没有其他字符的文字"));
  EXPECT_FALSE(edit_once(change_width, "plain English text"));
}

TEST(Edits, ScriptGoesBothWays) {
  const std::optional<Edited> traditional = edit_once(change_script, "汉语的书");
  ASSERT_TRUE(traditional);
  EXPECT_EQ(traditional->text, "漢語的書");
  EXPECT_EQ(traditional->changed, 3u);
  EXPECT_EQ(edit_once(change_script, "漢語的書")->text, "汉语的书");
  EXPECT_FALSE(edit_once(change_script, "English"));
}

TEST(Edits, HtmlHasTheTextOfTheOriginal) {
  const std::string text = "Fish & chips <b>\n\nsecond \"line\" &amp; more";
  const std::optional<Edited> page = edit_once(wrap_in_html, text);
  ASSERT_TRUE(page);
  EXPECT_NE(page->text.find("<p>Fish &amp; chips &lt;b&gt;</p>"), std::string::npos);
  EXPECT_NE(page->text.find("&amp;amp; more</p>"), std::string::npos);
}

TEST(Edits, NothingIsMadeOfTooLittle) {
  for (const MakeEdit make : {delete_words, truncate_text, reorder_sentences}) EXPECT_FALSE(edit_once(make, "one"));
  const std::string text = "a a a";
  const std::vector<TextUnits> units{TextUnits(text), TextUnits("A a")};
  const Donors donors(units);
  const EditStrength strength = EditStrength::parse("1");
  Random random(1);
  EXPECT_FALSE(replace_words({0, donors, strength}, random)) << "all words are the same";
}

}  // namespace
}  // namespace neardup::generate_detail
