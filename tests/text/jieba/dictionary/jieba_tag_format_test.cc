// The part of a dictionary file with parts of speech: optional, and outside of the id; damaged and forged ones are errors.
#include "text/jieba/dictionary/jieba_tag_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "base/hash.h"
#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/dictionary/jieba_dictionary_build.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;

jieba::Sources tagged_sources() {
  jieba::Sources sources;
  sources.words = {{"\u4E2D\u56FD", 5, "ns"}, {"\u4EBA", 3, "n"}, {"C++", 2, "nz"}, {"\u56FD", 2}};
  sources.tag_hmm.emplace();
  auto& states = sources.tag_hmm->states;
  states[{'S', "n"}] = {.start = -1, .transitions = {{{'S', "v"}, -0.5}}, .emissions = {{0x4EBA, -2}}};
  states[{'S', "v"}] = {.start = -2, .transitions = {{{'S', "n"}, -0.5}}, .emissions = {{0x56FD, -3}}};
  sources.tag_hmm->listed[0x4EBA] = {{'S', "n"}};
  return sources;
}

std::string problem_with(std::string bytes) {
  try {
    JiebaDictionary::from_bytes(std::move(bytes), "x.dict");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    return error.what();
  }
  return "";
}

// The tags follow the eleven sections of words: a header of 24 bytes, then rows of 40.
constexpr size_t kWordRows = 32;
constexpr size_t kRowBytes = 40;
constexpr size_t kTagRows = 8;

uint64_t word_at(const std::string& bytes, size_t at) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, 8);
  return value;
}

size_t tag_header(const std::string& bytes) {
  const size_t last = kWordRows + 10 * kRowBytes;
  return (word_at(bytes, last + 16) + word_at(bytes, last + 24) + 63) / 64 * 64;
}

size_t tag_section(const std::string& bytes, size_t number) {
  return word_at(bytes, tag_header(bytes) + 24 + number * kRowBytes + 16);
}

// Makes the hashes of the tags valid again, as an attacker would.
void forge_tags(std::string& bytes) {
  const size_t header = tag_header(bytes);
  for (size_t i = 0; i < kTagRows; ++i) {
    const size_t row = header + 24 + i * kRowBytes;
    const uint64_t hash = hash64(std::string_view(bytes).substr(word_at(bytes, row + 16), word_at(bytes, row + 24)));
    std::memcpy(bytes.data() + row + 32, &hash, 8);
  }
  const uint64_t id = hash64(std::string_view(bytes).substr(header + 24, kTagRows * kRowBytes));
  std::memcpy(bytes.data() + header + 16, &id, 8);
}

TEST(JiebaTagFormat, tags_change_neither_the_words_nor_the_id) {
  jieba::Sources sources = tagged_sources();
  const std::string with = jieba::build_dictionary(sources);
  sources.tag_hmm.reset();
  const std::string without = jieba::build_dictionary(sources);
  EXPECT_EQ(word_at(with, 8) & 0xFFFFFFFF, 2u);
  EXPECT_EQ(word_at(without, 8) & 0xFFFFFFFF, 1u);
  EXPECT_EQ(with.substr(24, without.size() - 24), without.substr(24));
  const JiebaDictionary tagged = JiebaDictionary::from_bytes(with, "with");
  const JiebaDictionary plain = JiebaDictionary::from_bytes(without, "without");
  EXPECT_EQ(tagged.id(), plain.id());
  EXPECT_TRUE(tagged.has_tags());
  EXPECT_FALSE(plain.has_tags());
  EXPECT_EQ(tagged.sections().size(), 19u);
  EXPECT_EQ(plain.sections().size(), 11u);
}

TEST(JiebaTagFormat, what_goes_in_comes_out) {
  const JiebaDictionary dictionary = JiebaDictionary::from_bytes(jieba::build_dictionary(tagged_sources()), "x.dict");
  const jieba::TagTables& tables = dictionary.tables().tags;
  const std::vector<std::string_view> names = jieba::split_tags(tables.names);
  EXPECT_THAT(names, ::testing::ElementsAre("x", "m", "eng", "n", "ns", "nz", "v"));
  EXPECT_EQ(names[tables.word_tags[dictionary.find("\u4E2D\u56FD")]], "ns");
  EXPECT_EQ(names[tables.word_tags[dictionary.find("\u4E2D")]], "x");
  EXPECT_EQ(names[tables.word_tags[dictionary.find("\u56FD")]], "x");
  EXPECT_EQ(tables.states.size(), 2u);
  EXPECT_EQ(tables.transitions[1], -0.5);  // to n from v
  EXPECT_EQ(tables.transitions[0], jieba::kNoTransition);
}

TEST(JiebaTagFormat, every_truncation_and_every_flipped_bit_is_an_error) {
  const std::string bytes = jieba::build_dictionary(tagged_sources());
  const size_t header = tag_header(bytes);
  for (size_t size = header; size < bytes.size(); size += size < header + 1000 ? 1 : 997) {
    std::string cut = bytes.substr(0, size);
    EXPECT_THAT(problem_with(cut), HasSubstr("dictionary 'x.dict': ")) << size;
    std::memcpy(cut.data() + 16, &size, 8);  // as if it had been written so
    EXPECT_THAT(problem_with(cut), HasSubstr("dictionary 'x.dict': ")) << size;
  }
  for (size_t at = header; at < header + 24 + kTagRows * kRowBytes; ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 16);
    EXPECT_NE(problem_with(damaged), "") << at;
  }
  for (size_t i = 0; i < kTagRows; ++i) {
    std::string damaged = bytes;
    damaged[tag_section(bytes, i)] = static_cast<char>(damaged[tag_section(bytes, i)] ^ 4);
    EXPECT_THAT(problem_with(damaged), HasSubstr("damaged (wrong hash)")) << i;
  }
  std::string version = bytes;
  version[8] = 1;  // claims to have no tags
  EXPECT_THAT(problem_with(version), HasSubstr("header: format version 1 ends after"));
  version = bytes;
  version[header + 8] = 9;
  EXPECT_THAT(problem_with(version), HasSubstr("tags: format version 9, this program reads version 1"));
}

TEST(JiebaTagFormat, forged_numbers_are_errors) {
  const std::string bytes = jieba::build_dictionary(tagged_sources());
  const auto with = [&](size_t section, size_t at, std::string_view value) {
    std::string forged = bytes;
    forged.replace(tag_section(bytes, section) + at, value.size(), value);
    forge_tags(forged);
    return problem_with(forged);
  };
  EXPECT_THAT(with(0, 0, "y"), HasSubstr("section tags: expected x, m and eng first"));
  EXPECT_THAT(with(0, 2, "\n"), HasSubstr("section tags: expected x, m and eng first"));
  for (const auto& [at, value] : {std::pair{size_t{14}, "s"}, {size_t{8}, "x"}, {size_t{16}, "x"}, {size_t{16}, "\n"}}) {
    EXPECT_THAT(with(0, at, value), HasSubstr("section tags: expected each tag once, by their bytes")) << at;
  }
  EXPECT_THAT(with(1, 4, "\x07"), HasSubstr("section word_tags: a tag without a name"));
  EXPECT_THAT(with(2, 2, "\x04"), HasSubstr("section tag_states: 0x40003 is not a state"));
  EXPECT_THAT(with(3, 6, "\xF0\x7F"), HasSubstr("section tag_start: expected 2 finite numbers"));
  EXPECT_THAT(with(4, 6, "\xF0\x7F"), HasSubstr("section tag_transitions: expected 4 numbers, finite or minus infinity"));
  EXPECT_THAT(with(5, 4, "\x7F"), HasSubstr("section tag_rows: expected"));
  EXPECT_THAT(with(6, 0, "\x02"), HasSubstr("section tag_cell_states: state 2 at 0, of 2 states"));
  EXPECT_THAT(with(7, 6, "\xF0\x7F"), HasSubstr("section tag_cell_values: expected"));
}

}  // namespace
}  // namespace neardup
