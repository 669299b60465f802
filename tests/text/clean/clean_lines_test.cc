// LineCounter, LineList, lines_v1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/hash.h"
#include "neardup/error.h"
#include "text/clean/cleaner.h"
#include "text/clean/line_counter.h"
#include "text/clean/line_list.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;

const Threshold kHalf = Threshold::from_millionths(500'000);

LineList learn(const std::vector<std::string>& texts, Threshold share, uint64_t memory = 1u << 20) {
  LineCounter counter(memory);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  counter.add(views);
  return counter.finish(share);
}

std::string clean(const LineList& list, std::string_view text) {
  Cleaner::Scratch scratch;
  std::string out = "what was there before";
  make_line_cleaner(list)->clean(text, out, scratch);
  return out;
}

TEST(TrimLine, Golden) {
  EXPECT_EQ(trim_line(" \t a b \r"), "a b");
  EXPECT_EQ(trim_line("\u3000\u00A0 文 \u3000"), "文");
  EXPECT_EQ(trim_line(" \u3000"), "");
  EXPECT_EQ(trim_line("\xE3\x80"), "\xE3\x80");
}

TEST(LineCleaner, DropsWhatMoreThanHalfHave) {
  const std::vector<std::string> texts = {"Menu\none\n© us", "  Menu \r\ntwo\nMenu\n© us\n", "three\n© us", "four"};
  const LineList list = learn(texts, kHalf);
  EXPECT_EQ(list.size(), 1u);  // "Menu" is in two of four: not more than half
  EXPECT_EQ(list.documents(), 4u);
  EXPECT_EQ(clean(list, texts[0]), "Menu\none\n");
  EXPECT_EQ(clean(list, texts[1]), "  Menu \r\ntwo\nMenu\n");
  const LineList more = learn(texts, Threshold::from_millionths(499'999));
  EXPECT_EQ(clean(more, texts[1]), "two\n");
  EXPECT_EQ(clean(more, "a\n\n \nMenu"), "a\n\n \n");
  EXPECT_EQ(clean(more, ""), "");
}

TEST(LineCleaner, OneDocumentRepeatsNothing) {
  EXPECT_EQ(learn({"a\na\na"}, Threshold::from_millionths(1)).size(), 0u);
}

TEST(LineCleaner, IsFoundByTheIdOfItsList) {
  const LineList list = learn({"a\nb", "a\nc"}, kHalf);
  const std::string path = (std::filesystem::temp_directory_path() / ("neardup-lines-" + std::to_string(::getpid()))).native();
  list.save(path);
  char id[17];
  std::snprintf(id, sizeof id, "%016llx", static_cast<unsigned long long>(list.id()));
  const std::string description = std::string("{\"lines_v1\":\"") + id + "\"}";
  const auto cleaner = make_cleaner(description, {.line_lists = {path}});
  EXPECT_EQ(cleaner->describe(), description);
  Cleaner::Scratch scratch;
  std::string out;
  cleaner->clean("x\na\ny", out, scratch);
  EXPECT_EQ(out, "x\ny");
  std::filesystem::remove(path);
  EXPECT_THROW(static_cast<void>(LineList::load(path)), Error);
}

// The slow twin.
RC_GTEST_PROP(LineCounterLaw, is_a_map_of_sets, (const std::vector<std::vector<uint8_t>>& documents, uint8_t percent)) {
  std::vector<std::string> texts;
  std::map<std::string, std::set<size_t>> places;
  for (const auto& lines : documents) {
    std::string text;
    for (const uint8_t line : lines) {
      const std::string word = std::string(1, static_cast<char>('a' + line % 7));
      text += std::string(line % 3, ' ') + word + "\n";
      places[word].insert(texts.size());
    }
    texts.push_back(text);
  }
  const Threshold share = Threshold::from_millionths(10'000u * (1 + percent % 100u));
  const LineList list = learn(texts, share);
  for (const auto& [word, in] : places) {
    const bool common = in.size() >= 2 && in.size() * 1'000'000 > texts.size() * share.millionths();
    RC_ASSERT(list.contains(hash64(word)) == common);
  }
  RC_ASSERT(LineList::parse(list.serialize(), "list").serialize() == list.serialize());
}

// Threads, memory, the order and the spread over counters do not matter.
TEST(LineCounterLaw, OneListForAllWays) {
  std::vector<std::string> texts;
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (int line = 0; line < 20; ++line) text += "line " + std::to_string((i * 31 + line * line) % (100 + line * 50)) + "\n";
    texts.push_back(text);
  }
  const Threshold share = Threshold::from_millionths(30'000);
  const std::string expected = learn(texts, share).serialize();
  EXPECT_GT(learn(texts, share).size(), 10u);
  EXPECT_EQ(learn({texts.rbegin(), texts.rend()}, share).serialize(), expected);

  LineCounter first(1);  // the least memory there is
  LineCounter second(1);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = t; i < texts.size(); i += 4) {
        const std::string_view text = texts[i];
        (i % 3 == 0 ? first : second).add({&text, 1});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(first.spilled_bytes(), 0u);
  first.merge(second);
  EXPECT_EQ(first.documents(), 3000u);
  EXPECT_EQ(first.finish(share).serialize(), expected);
}

TEST(LineListFile, HostileBytesAreErrors) {
  const std::string good = learn({"a\nb", "a\nb"}, kHalf).serialize();
  ASSERT_EQ(LineList::parse(good, "x").size(), 2u);
  for (size_t length = 0; length < good.size(); ++length) EXPECT_THROW(LineList::parse(good.substr(0, length), "x"), Error) << length;
  EXPECT_THROW(LineList::parse(good + '\0', "x"), Error);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    EXPECT_THROW(LineList::parse(bad, "x"), Error) << i;
  }
  // Faults under a checksum that fits: each has a message of its own.
  const auto with = [&](size_t at, uint64_t value, size_t bytes) {
    std::string bad = good.substr(0, good.size() - 8);
    std::memcpy(bad.data() + at, &value, bytes);
    const uint64_t checksum = hash64(bad);
    bad.append(reinterpret_cast<const char*>(&checksum), 8);
    try {
      LineList::parse(bad, "file.lines");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(with(8, 2, 4), HasSubstr("'file.lines' is not a line list: it has format version 2, this program reads 1"));
  EXPECT_THAT(with(12, 0, 4), HasSubstr("its share is 0 millionths"));
  EXPECT_THAT(with(12, 1'000'001, 4), HasSubstr("its share is 1000001 millionths"));
  EXPECT_THAT(with(24, uint64_t{1} << 61, 8), HasSubstr("claims"));
  EXPECT_THAT(with(32, 1, 8), HasSubstr("its id does not fit"));
  EXPECT_THAT(with(40, ~uint64_t{0}, 8), HasSubstr("not in order"));
}

}  // namespace
}  // namespace neardup
