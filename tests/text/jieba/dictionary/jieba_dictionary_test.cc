// Dictionary files: round trip; damaged, forged and misspelt ones are errors that name the thing, the bound and the value.
#include "text/jieba/dictionary/jieba_dictionary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/hash.h"
#include "neardup/error.h"
#include "support/jieba.h"
#include "text/jieba/dictionary/jieba_dictionary_build.h"
#include "text/jieba/dictionary/jieba_user_words.h"
#include "text/jieba/jieba_segmenter.h"

namespace neardup {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

jieba::Sources small_sources() {
  jieba::Sources sources;
  sources.words = {{"\u4E2D", 10}, {"\u4E2D\u56FD", 7},       {"\u4E2D\u56FD\u4EBA", 2},
                   {"B\u8D85", 3}, {"\u03B3\u5C04\u7EBF", 3}, {"B\u8D85", 4}};
  sources.idf = {{"\u4E2D\u56FD", 2.5}, {"\u56FD\u4EBA", 4.25}, {"\u4EBA", 1.0}};
  sources.stop_words = {"the", "\u4E2D\u56FD"};
  sources.hmm.emplace();
  sources.hmm->start = {-0.5, jieba::kNever, jieba::kNever, -1.5};
  for (auto& row : sources.hmm->transition) row.fill(-1);
  sources.hmm->emission[0x4E2D].fill(-2);
  return sources;
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_NE(error.code(), ErrorCode::kOutput);
    return error.what();
  }
  return "";
}

std::string complaint_about(std::string bytes) {
  return complaint([&] { JiebaDictionary::from_bytes(std::move(bytes), "x.dict"); });
}

// The table of sections stands after 32 bytes of header: name 16, offset 8, bytes 8, hash 8.
constexpr size_t kTable = 32;
constexpr size_t kRow = 40;
constexpr size_t kSections = 11;

uint64_t number_at(const std::string& bytes, size_t at) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, 8);
  return value;
}

void put(std::string& bytes, size_t at, uint64_t value) {
  std::memcpy(bytes.data() + at, &value, 8);
}

// Makes all hashes valid again, as an attacker would.
void forge(std::string& bytes) {
  for (size_t i = 0; i < kSections; ++i) {
    const size_t row = kTable + i * kRow;
    const uint64_t offset = number_at(bytes, row + 16);
    const uint64_t size = number_at(bytes, row + 24);
    if (offset <= bytes.size() && size <= bytes.size() - offset) put(bytes, row + 32, hash64(std::string_view(bytes).substr(offset, size)));
  }
  put(bytes, 24, hash64(std::string_view(bytes).substr(kTable, kSections * kRow)));
}

TEST(JiebaDictionary, what_goes_in_comes_out) {
  const std::string bytes = jieba::build_dictionary(small_sources());
  EXPECT_EQ(bytes, jieba::build_dictionary(small_sources()));
  const JiebaDictionary dictionary = JiebaDictionary::from_bytes(bytes, "x.dict");
  EXPECT_EQ(dictionary.tables().total, 29u);  // both lines of the repeated word
  EXPECT_EQ(dictionary.tables().words, 5u);
  EXPECT_EQ(dictionary.frequency("\u4E2D\u56FD"), 7u);
  EXPECT_EQ(dictionary.frequency("B\u8D85"), 4u);
  EXPECT_EQ(dictionary.frequency("B"), 0u);
  EXPECT_EQ(dictionary.frequency("\u03B3\u5C04\u7EBF"), 3u);
  EXPECT_EQ(dictionary.frequency("\u56FD\u4EBA"), std::nullopt);  // known to the IDF table only
  EXPECT_EQ(dictionary.frequency("\u4EBA\u4E2D"), std::nullopt);
  EXPECT_EQ(dictionary.frequency(""), std::nullopt);
  const auto& tables = dictionary.tables();
  EXPECT_EQ(tables.idf[tables.idf_ids[dictionary.find("\u56FD\u4EBA")]], 4.25);
  EXPECT_EQ(tables.idf[0], 2.5);  // the median
  const uint32_t value = jieba::value_of(tables.slots[dictionary.find("\u4E2D\u56FD")]);
  EXPECT_EQ(tables.weights[value], std::log(7.0) - std::log(29.0));
}

TEST(JiebaDictionary, the_real_one) {
  NEARDUP_NEEDS_DICTIONARY();
  const auto& tables = testing::real_dictionary()->tables();
  EXPECT_EQ(tables.words, 349045u);
  EXPECT_EQ(tables.total, 60101967u);
  EXPECT_EQ(tables.idf[0], 11.9547675029);
  EXPECT_EQ(testing::real_dictionary()->trie().unknown, -17.91155312775522);
  EXPECT_EQ(tables.hmm[0], -0.26268660809250016);
}

TEST(JiebaDictionary, every_truncation_is_an_error) {
  const std::string bytes = jieba::build_dictionary(small_sources());
  for (size_t size = 0; size < bytes.size(); size += size < 1000 ? 1 : 4093) {
    EXPECT_THAT(complaint_about(bytes.substr(0, size)), HasSubstr("dictionary 'x.dict': ")) << size;
  }
  EXPECT_THAT(complaint_about(bytes + "x"), HasSubstr("bytes, found"));
}

TEST(JiebaDictionary, every_flipped_bit_is_an_error_that_names_its_section) {
  const std::string bytes = jieba::build_dictionary(small_sources());
  for (size_t i = 0; i < kSections; ++i) {
    const size_t row = kTable + i * kRow;
    const std::string name(bytes.data() + row);
    const uint64_t offset = number_at(bytes, row + 16);
    const uint64_t size = number_at(bytes, row + 24);
    for (const uint64_t at : {uint64_t{0}, size / 2, size - 1}) {
      std::string damaged = bytes;
      damaged[offset + at] = static_cast<char>(damaged[offset + at] ^ 4);
      EXPECT_THAT(complaint_about(damaged), HasSubstr("section " + name + ": damaged"));
    }
  }
  for (size_t at = 0; at < kTable + kSections * kRow; ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 16);
    EXPECT_NE(complaint_about(damaged), "") << at;
  }
}

TEST(JiebaDictionary, another_version_is_named) {
  std::string bytes = jieba::build_dictionary(small_sources());
  bytes[8] = 9;
  EXPECT_THAT(complaint_about(bytes), AllOf(HasSubstr("version 9"), HasSubstr("reads versions 1 and 2")));
}

// A step by the code 0, of characters that are in no word, must lead nowhere.
TEST(JiebaDictionary, a_slot_for_no_character_is_refused) {
  std::string bytes = jieba::build_dictionary(small_sources());
  const JiebaDictionary dictionary = JiebaDictionary::from_bytes(bytes, "x.dict");
  const auto slots = dictionary.tables().slots;
  const std::string_view section(reinterpret_cast<const char*>(slots.data()), slots.size_bytes());
  const size_t at = bytes.find(section);
  ASSERT_NE(at, std::string::npos);
  for (size_t i = 0; i < slots.size(); ++i) {
    if (jieba::label_of(slots[i]) != jieba::kEmptyLabel) continue;
    const jieba::Slot forged = jieba::make_slot(0, jieba::kFirstWord, 0);
    std::memcpy(bytes.data() + at + i * sizeof(forged), &forged, sizeof(forged));
  }
  forge(bytes);
  EXPECT_THROW(JiebaDictionary::from_bytes(bytes, "forged"), Error);
}

TEST(JiebaDictionary, WordsOfAFileHaveABound) {
  jieba::Sources sources = small_sources();
  const auto with_word_of = [&](size_t characters) {
    std::string word;
    for (size_t i = 0; i < characters; ++i) word += "\u4E2D";
    sources.words.push_back({word, 1});
    return build_dictionary(sources);
  };
  EXPECT_EQ(complaint_about(with_word_of(jieba::kMaxWordCharacters)), "");
  EXPECT_THAT(complaint_about(with_word_of(jieba::kMaxWordCharacters + 1)),
              HasSubstr("'x.dict': section slots: a word may have at most 255 characters, one has 256"));
}

// Of two nodes with the same base, words would share their ends, and a circle would make words without an end.
TEST(JiebaDictionary, ForgedTriesAreNoTrees) {
  std::string bytes = build_dictionary(small_sources());
  const uint64_t at = number_at(bytes, kTable + kRow + 16);
  const uint64_t count = number_at(bytes, kTable + kRow + 24) / sizeof(jieba::Slot);
  std::vector<size_t> inner;
  for (size_t i = 0; i < count && inner.size() < 2; ++i) {
    if (jieba::base_of(number_at(bytes, at + i * sizeof(jieba::Slot))) > jieba::kNoChildren) inner.push_back(at + i * sizeof(jieba::Slot));
  }
  ASSERT_EQ(inner.size(), 2u);
  const jieba::Slot slot = number_at(bytes, inner[1]);
  const jieba::Slot forged = jieba::make_slot(jieba::base_of(number_at(bytes, inner[0])), jieba::value_of(slot), jieba::label_of(slot));
  std::memcpy(bytes.data() + inner[1], &forged, sizeof forged);
  forge(bytes);
  EXPECT_THAT(complaint_about(bytes), HasSubstr("section slots: two nodes have the same base"));
}

// A step from a node without children goes to a slot after those of the root. A word there would be longer than any that was counted.
TEST(JiebaDictionary, nodes_without_children_have_none_in_a_forged_trie) {
  std::string bytes = build_dictionary(small_sources());
  const uint64_t at = number_at(bytes, kTable + kRow + 16);
  constexpr uint16_t kCode = 3;
  const jieba::Slot forged = jieba::make_slot(jieba::kNoChildren, jieba::kFirstWord, kCode);
  put(bytes, at + (jieba::kNoChildren + kCode) * sizeof(jieba::Slot), forged);
  forge(bytes);
  EXPECT_THAT(complaint_about(bytes), HasSubstr("section slots: a child of the base 1, which means no children"));
}

// User words add to the frequencies of a file.
TEST(JiebaDictionary, forged_frequencies_have_a_bound) {
  const std::string good = build_dictionary(small_sources());
  const auto with_first_number = [&](size_t section, uint64_t value) {
    std::string bytes = good;
    put(bytes, number_at(bytes, kTable + section * kRow + 16), value);
    forge(bytes);
    return complaint_about(bytes);
  };
  EXPECT_EQ(with_first_number(10, jieba::kMaxFrequency), "");
  EXPECT_THAT(with_first_number(10, jieba::kMaxFrequency + 1),
              HasSubstr("section numbers: the frequencies sum to 9007199254740992, expected 1 to"));
  EXPECT_THAT(with_first_number(10, 0), HasSubstr("section numbers: the frequencies sum to 0, expected 1 to 9007199254740991"));
  EXPECT_THAT(with_first_number(2, UINT64_MAX), HasSubstr("section counts: a frequency of 18446744073709551615, expected at most"));
}

TEST(JiebaDictionary, FilesHaveABound) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / ("large." + std::to_string(getpid()))).native();
  std::ofstream(path) << "x";
  std::filesystem::resize_file(path, jieba::kMaxSourceBytes + 1);  // takes no room
  const std::string many = "'" + path + "': it has more than 1073741824 bytes";
  EXPECT_EQ(complaint([&] { JiebaDictionary::open(path); }), "cannot read the dictionary " + many);
  EXPECT_EQ(complaint([&] { jieba::read_source(path); }), "cannot read " + many);
  std::filesystem::remove(path);
}

// Whatever a forged file says, it is an error or a dictionary that can be used; the sanitizers watch.
RC_GTEST_PROP(JiebaDictionary, forged_contents_never_read_out_of_bounds, ()) {
  static const std::string good = jieba::build_dictionary(small_sources());
  std::string bytes = good;
  std::mt19937_64 random(*rc::gen::arbitrary<uint64_t>());
  for (int n = *rc::gen::inRange(1, 40); n > 0; --n) {
    const size_t row = kTable + random() % kSections * kRow;
    const uint64_t offset = number_at(good, row + 16);
    const uint64_t size = number_at(good, row + 24);
    // Mostly contents, now and then the table itself.
    const size_t at = random() % 8 == 0 ? kTable + random() % (kSections * kRow) : offset + random() % size;
    bytes[at] = static_cast<char>(random());
  }
  forge(bytes);
  try {
    const JiebaDictionary dictionary = JiebaDictionary::from_bytes(bytes, "forged");
    JiebaScratch scratch;
    const std::string text = "\u4E2D\u56FD\u4EBA\u7684 B\u8D85abc\u56FD\u4EBA\u4E2D\u4E2D 1.5%\u3002";
    for (const JiebaMode mode : {JiebaMode::kAccurateNoHmm, JiebaMode::kFull, JiebaMode::kSearchNoHmm}) {
      JiebaSegmenter(dictionary, mode).segment(text, scratch);
    }
    if (dictionary.has_hmm()) JiebaSegmenter(dictionary, JiebaMode::kAccurate).segment(text, scratch);
    static_cast<void>(dictionary.frequency("\u4E2D\u56FD\u4EBA"));
  } catch (const Error&) {
  }
}

TEST(JiebaSources, words_that_are_none) {
  const auto words = [](const char* text) { return complaint([&] { jieba::parse_words(text, "d.txt"); }); };
  EXPECT_EQ(words("\u4E2D 3 n\n\u56FD 4\n"), "");
  EXPECT_THAT(words("\u4E2D 3 n\n\u56FD\n"), HasSubstr("d.txt:2: expected 'word frequency [tag]', not '\u56FD'"));
  EXPECT_THAT(words("\u4E2D 3 n\n\n"), HasSubstr("d.txt:2: expected 'word frequency [tag]', not ''"));
  EXPECT_THAT(words("\u4E2D \u56FD 3 n\n"), HasSubstr("d.txt:1: expected 'word frequency [tag]'"));
  EXPECT_THAT(words("\u4E2D \u56FD 3\n"), HasSubstr("d.txt:1: expected a frequency from 0 to 9007199254740991, not '\u56FD'"));
  EXPECT_THAT(words("\u4E2D -3 n\n"), HasSubstr("not '-3'"));
  EXPECT_THAT(words("\u4E2D 9007199254740992 n\n"), HasSubstr("not '9007199254740992'"));
  EXPECT_THAT(words("\u4E2D 99999999999999999999999 n\n"), HasSubstr("from 0 to 9007199254740991"));
  EXPECT_THAT(words("\u4E2D 9007199254740991\n\u56FD 1\n"), HasSubstr("d.txt:2: the frequencies sum to more than"));
  EXPECT_THAT(words("\xFF 3\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(words((std::string(256, 'a') + " 3\n").c_str()), HasSubstr("at most 255 characters, this one has 256"));
  EXPECT_THAT(words(""), HasSubstr("there are none"));
  EXPECT_THAT(words("\u4E2D 0\n"), HasSubstr("frequency above 0"));
}

TEST(JiebaSources, idf_tables_that_are_none) {
  const auto idf = [](const char* text) { return complaint([&] { jieba::parse_idf(text, "i.txt"); }); };
  EXPECT_EQ(idf("\u4E2D 3.5\r\n\u56FD -4e2"), "");
  EXPECT_THAT(idf("\u4E2D 3.5\n\u4E2D\n"), HasSubstr("i.txt:2: expected 'word idf', not '\u4E2D'"));
  EXPECT_THAT(idf("\u4E2D 3.5 n\n"), HasSubstr("i.txt:1: expected 'word idf'"));
  EXPECT_THAT(idf("\u4E2D three\n"), HasSubstr("i.txt:1: expected a finite number as idf, not 'three'"));
  EXPECT_THAT(idf("\u4E2D inf\n"), HasSubstr("not 'inf'"));
  EXPECT_THAT(idf("\u4E2D 1e999\n"), HasSubstr("not '1e999'"));
  EXPECT_THAT(idf("\n"), HasSubstr("i.txt:1"));
  EXPECT_THAT(idf(""), HasSubstr("there are none"));
}

TEST(JiebaSources, lines_of_a_user_dictionary) {
  const auto line = [](const char* text) {
    const auto words = jieba::parse_user_words(text, "u.txt");
    return words.empty() ? "none" : words[0].word + "|" + (words[0].frequency ? std::to_string(*words[0].frequency) : "-");
  };
  EXPECT_EQ(line("\xEF\xBB\xBF\u4E91\u8BA1\u7B97 5 n\n"), "\u4E91\u8BA1\u7B97|5");
  EXPECT_EQ(line("  Edu Trust 2000 \r\n"), "Edu Trust|2000");
  EXPECT_EQ(line("Edu trust\n"), "Edu|-");  // the tag, as jieba has it
  EXPECT_EQ(line("5 n"), "5|-");
  EXPECT_EQ(line("a 5 6"), "a 5|6");
  EXPECT_EQ(line("a 5 N"), "a 5 N|-");
  EXPECT_EQ(line("\n\n"), "none");
  EXPECT_THAT(complaint([] { jieba::parse_user_words("a 1\nb 99999999999999999999\n", "u.txt"); }),
              HasSubstr("u.txt:2: expected a frequency"));
  EXPECT_THAT(complaint([] { jieba::parse_user_words("a\xFF 1\n", "u.txt"); }), HasSubstr("u.txt:1: the line is not UTF-8"));
}

TEST(JiebaDictionary, user_words_beyond_the_bound) {
  const JiebaDictionary dictionary = JiebaDictionary::from_bytes(jieba::build_dictionary(small_sources()), "x.dict");
  UserWords words(dictionary);
  EXPECT_THAT(complaint([&] { words.add("\u4E2D", jieba::kMaxFrequency); }), HasSubstr("sum to more than 9007199254740991"));
  EXPECT_THAT(complaint([&] { words.add("\xFF"); }), HasSubstr("not UTF-8"));
  EXPECT_THAT(complaint([&] { words.add(std::string(256, 'a')); }), HasSubstr("at most 255 characters, this one has 256"));
  EXPECT_EQ(words.total(), 29u);
  const std::string file = "a 1\n\n\u4E2D " + std::to_string(jieba::kMaxFrequency - 29) + "\nb 1\n";
  EXPECT_EQ(complaint([&] { words.load_text(file, "u.txt"); }),
            "u.txt:3: user word '\u4E2D' with frequency 9007199254740962: the frequencies sum to more than 9007199254740991");
}

// A set has no order, and an element once. The order of the words of jieba's own list is that in which it has them, so that the ids of
// dictionaries made of it stay.
TEST(JiebaDictionary, stop_words_are_a_set) {
  const auto bytes_of = [](std::vector<std::string> stop_words) {
    jieba::Sources sources = small_sources();
    sources.stop_words = std::move(stop_words);
    return jieba::build_dictionary(sources);
  };
  const std::string bytes = bytes_of({"the", "of", "is", "\u4E2D", "a"});
  EXPECT_EQ(bytes_of({"a", "is", "\u4E2D", "of", "the", "is", "a"}), bytes);
  EXPECT_NE(bytes_of({"the", "of", "is", "\u4E2D"}), bytes);
  EXPECT_NE(bytes.find("the\nof\nis\na\n\u4E2D\n"), std::string::npos);
}

TEST(JiebaDictionary, OneFileIsSharedUntilItChanges) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / ("shared." + std::to_string(getpid()))).native();
  const std::string bytes = jieba::build_dictionary(small_sources());
  std::ofstream(path, std::ios::binary) << bytes;
  const auto first = JiebaDictionary::open_shared(path);
  EXPECT_EQ(JiebaDictionary::open_shared(path), first);
  std::string damaged = bytes;
  damaged.back() ^= 1;
  std::ofstream(path, std::ios::binary) << damaged;
  EXPECT_THAT(complaint([&] { JiebaDictionary::open_shared(path); }), HasSubstr("dictionary '" + path + "'"));
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(JiebaDictionary::open_shared(path)->id(), first->id());
  std::filesystem::remove(path);
}

TEST(JiebaDictionary, files_that_are_not_there) {
  EXPECT_THAT(complaint([] { JiebaDictionary::open("/nowhere/x.dict"); }), HasSubstr("cannot read the dictionary '/nowhere/x.dict'"));
  EXPECT_THAT(complaint([] { JiebaDictionary::open("/"); }), HasSubstr("cannot read the dictionary '/'"));
  EXPECT_THAT(complaint([] { jieba::read_source("/nowhere/d.txt"); }), HasSubstr("cannot read '/nowhere/d.txt'"));
}

}  // namespace
}  // namespace neardup
