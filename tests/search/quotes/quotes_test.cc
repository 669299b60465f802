#include "search/quotes/quotes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>

#include "neardup/error.h"
#include "text/clue/clue_form.h"
#include "text/text_generators.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// text a, begin, end, text b, begin, end, columns
using Row = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;

QuoteSettings quote_settings(uint32_t min_columns, uint64_t max_places = 1, uint64_t memory_bytes = 64u << 20) {
  return {.min_columns = min_columns, .max_places = max_places, .memory_bytes = memory_bytes, .temp_dir = ::testing::TempDir()};
}

std::vector<Row> quotes_of(const std::vector<std::string>& forms, const QuoteSettings& settings, uint64_t* more = nullptr,
                           size_t* slices = nullptr) {
  QuoteFinder finder(settings);
  AnchorScratch scratch;
  std::vector<Anchor> anchors;
  for (const std::string& form : forms) {
    text_anchors(form, finder.shape(), scratch, anchors);
    finder.add(form, anchors);
  }
  std::vector<Row> rows;
  finder.for_each([&](const RepeatedRuns::Run& run) {
    for (const RunPlace& place : run.earlier)
      rows.emplace_back(run.here.text, run.here.begin, run.here.end, place.text, place.begin, place.end, run.columns);
    if (more != nullptr && run.more) ++*more;
  });
  EXPECT_EQ(finder.texts(), forms.size());
  if (slices != nullptr) *slices = finder.slices();
  return rows;
}

uint32_t columns_of_all(std::u32string_view run) {
  uint32_t columns = 0;
  for (const char32_t c : run) columns += columns_of(c);
  return columns;
}

std::u32string decoded(std::string_view form) {
  std::u32string points;
  for (size_t at = 0; at < form.size();) {
    const Decoded one = decode_utf8(form, at);
    points.push_back(one.code_point);
    at += one.length;
  }
  return points;
}

// The slow twin: every run of every text is looked for in every earlier text.
std::vector<Row> quotes_by_definition(const std::vector<std::string>& forms, uint32_t min_columns, uint64_t max_places = 1) {
  std::vector<std::u32string> texts;
  for (const std::string& form : forms) texts.push_back(decoded(form));
  const auto bytes = [](std::u32string_view part) { return static_cast<uint32_t>(testing::utf8(std::u32string(part)).size()); };
  std::vector<Row> rows;
  for (uint32_t a = 0; a < texts.size(); ++a) {
    const std::u32string_view text = texts[a];
    size_t covered = 0;
    for (size_t begin = 0; begin < text.size(); ++begin) {
      if (text[begin] == ' ') continue;
      size_t longest = begin;
      for (uint32_t b = 0; b < a; ++b) {
        while (longest < text.size() && texts[b].find(text.substr(begin, longest + 1 - begin)) != std::u32string::npos) ++longest;
      }
      while (longest > begin && text[longest - 1] == ' ') --longest;
      if (longest <= covered) continue;
      covered = longest;
      const std::u32string_view run = text.substr(begin, longest - begin);
      if (columns_of_all(run) < min_columns) continue;
      uint64_t places = 0;
      for (uint32_t b = 0; b < a; ++b) {
        const std::u32string_view other = texts[b];
        for (size_t at = other.find(run); at != std::u32string::npos && places < max_places; at = other.find(run, at + 1)) {
          ++places;
          rows.emplace_back(a, bytes(text.substr(0, begin)), bytes(text.substr(0, longest)), b, bytes(other.substr(0, at)),
                            bytes(other.substr(0, at + run.size())), columns_of_all(run));
        }
      }
    }
  }
  return rows;
}

std::string form_from(std::string_view text) {
  static const ClueForm form(false);
  std::string out;
  ClueForm::Scratch scratch;
  form.form(text, out, scratch);
  return out;
}

// Texts made of few pieces, which they share, cut anywhere; with characters of their own between them.
std::vector<std::string> related_forms(std::mt19937& random, size_t texts) {
  static const std::vector<std::u32string> kLetters = {U"abcdefgh ijklm nopq", U"的一是不了人我在有他这", U"ab",
                                                       U"a中 b文éか\U00020000\U00010400 c"};
  std::vector<std::u32string> pieces;
  for (int i = 0; i < 6; ++i) {
    std::u32string piece;
    const std::u32string& letters = kLetters[random() % kLetters.size()];
    for (size_t length = 5 + random() % 120; piece.size() < length;) piece.push_back(letters[random() % letters.size()]);
    pieces.push_back(piece);
  }
  std::vector<std::string> forms;
  while (forms.size() < texts) {
    std::u32string text;
    for (size_t parts = random() % 5; parts > 0; --parts) {
      const std::u32string& piece = pieces[random() % pieces.size()];
      const size_t from = random() % 3 == 0 ? random() % piece.size() : 0;
      const size_t length = random() % 3 == 0 ? random() % piece.size() : piece.size();
      text += piece.substr(from, length);
      if (random() % 2 == 0) text.push_back(U"xyz，和 0123456789"[random() % 17]);
    }
    forms.push_back(form_from(testing::utf8(text)));
  }
  return forms;
}

TEST(Quotes, Example) {
  const std::vector<std::string> forms = {"permission is hereby granted to any person", "he said permission is hereby granted to nobody",
                                          "no permission is hereby granted to any person"};
  EXPECT_EQ(quotes_of(forms, quote_settings(20)), (std::vector<Row>{{1, 8, 39, 0, 0, 31, 31}, {2, 3, 45, 0, 0, 42, 42}}))
      << "the earliest text that has the whole run, without blanks at its ends";
  EXPECT_EQ(quotes_of(forms, quote_settings(32)), (std::vector<Row>{{2, 3, 45, 0, 0, 42, 42}}));
  EXPECT_TRUE(quotes_of(forms, quote_settings(43)).empty());
  EXPECT_TRUE(quotes_of({}, quote_settings(20)).empty());
  EXPECT_TRUE(quotes_of({"", "", "a"}, quote_settings(20)).empty());
  EXPECT_TRUE(quotes_of({forms[0] + " and again " + forms[0]}, quote_settings(20)).empty())
      << "what a text repeats of itself is not listed";
}

TEST(Quotes, WideCharactersCountTwice) {
  const std::vector<std::string> forms = {"人民法院审理案件", "说人民法院审理案"};
  EXPECT_EQ(quotes_of(forms, quote_settings(14)), (std::vector<Row>{{1, 3, 24, 0, 0, 21, 14}}));
  EXPECT_TRUE(quotes_of(forms, quote_settings(15)).empty());
}

TEST(Quotes, RunsThatOverlapAreAllReported) {
  const std::vector<std::string> forms = {"aaaaabbbbbccccc", "bbbbbcccccddddd", "aaaaabbbbbcccccddddd"};
  EXPECT_EQ(quotes_of(forms, quote_settings(10)),
            (std::vector<Row>{{1, 0, 10, 0, 5, 15, 10}, {2, 0, 15, 0, 0, 15, 15}, {2, 5, 20, 1, 0, 15, 15}}));
}

TEST(Quotes, EqualTheDefinition) {
  std::mt19937 random(7);
  for (int turn = 0; turn < 60; ++turn) {
    const std::vector<std::string> forms = related_forms(random, 2 + random() % 10);
    for (const uint32_t min_columns : {9u, 12u, 17u, 24u, 40u, 90u}) {
      ASSERT_EQ(quotes_of(forms, quote_settings(min_columns)), quotes_by_definition(forms, min_columns)) << turn << ' ' << min_columns;
    }
    ASSERT_EQ(quotes_of(forms, quote_settings(20, 1000)), quotes_by_definition(forms, 20, 1000)) << turn;
  }
}

TEST(Quotes, LongRunsOfOneCharacter) {
  const std::vector<std::string> forms = {std::string(700, 'a'), "b" + std::string(300, 'a') + "b", std::string(900, 'a'),
                                          "ab" + std::string(300, 'a') + "ba"};
  EXPECT_EQ(quotes_of(forms, quote_settings(300)), quotes_by_definition(forms, 300));
  EXPECT_EQ(quotes_of(forms, quote_settings(40, 7)), quotes_by_definition(forms, 40, 7));
}

TEST(Quotes, CappedPlacesAreTheEarliest) {
  std::vector<std::string> forms(30, "the same sentence in all of the texts");
  uint64_t more = 0;
  EXPECT_EQ(quotes_of(forms, quote_settings(20, 5), &more), quotes_by_definition(forms, 20, 5));
  EXPECT_EQ(more, 24u) << "texts 6 to 29 have more than five earlier places";
}

TEST(Quotes, MemoryChangesNothing) {
  std::mt19937 random(8);
  const std::vector<std::string> forms = related_forms(random, 400);
  for (const uint64_t max_places : {1, 2, 30}) {
    uint64_t more = 0;
    size_t slices = 0;
    const std::vector<Row> rows = quotes_of(forms, quote_settings(20, max_places), &more, &slices);
    EXPECT_GT(rows.size(), 300u);
    EXPECT_EQ(slices, 1u);
    for (const uint64_t memory_bytes : {4'000'000, 2'000'000, 700'000, 150'000}) {
      uint64_t more_again = 0;
      EXPECT_EQ(quotes_of(forms, quote_settings(20, max_places, memory_bytes), &more_again, &slices), rows) << memory_bytes;
      EXPECT_EQ(more_again, more) << memory_bytes;
      EXPECT_GE(slices, memory_bytes > 1'000'000 ? 1u : 2u) << memory_bytes;
    }
    EXPECT_GT(slices, 15u);
  }
}

TEST(Quotes, APartThatIsTooLargeIsAnError) {
  std::string message;
  try {
    quotes_of({std::string(5000, 'a'), std::string(5000, 'a')}, quote_settings(20, 1, 100'000));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResource);
    message = error.what();
  }
  EXPECT_NE(message.find("--memory: 5,000 characters in a row of one text are also in others"), std::string::npos) << message;
}

TEST(Quotes, ThousandsOfTextsWithOneHeader) {
  std::mt19937 random(9);
  std::string header;
  while (header.size() < 2000) header += static_cast<char>('a' + random() % 26);
  std::vector<std::string> forms;
  for (int i = 0; i < 3000; ++i) {
    std::string body;
    while (body.size() < 30) body += static_cast<char>('0' + random() % 10);
    forms.push_back(header + " " + body);
  }
  const std::vector<Row> rows = quotes_of(forms, quote_settings(40, 1, 512u << 20));
  EXPECT_EQ(rows.size(), 2999u);
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(std::get<0>(rows[i]), i + 1);
    EXPECT_GE(std::get<6>(rows[i]), 2000u);
  }
}

}  // namespace
}  // namespace neardup
