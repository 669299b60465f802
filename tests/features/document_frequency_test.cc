#include "features/document_frequency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "features/frequency_tables.h"
#include "features/idf.h"
#include "neardup/error.h"
#include "neardup/recipe.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;
using testing::parts_of;
using testing::table_bytes;
using testing::TableParts;

std::string problem_of(const std::string& bytes) {
  try {
    static_cast<void>(DocumentFrequencyTable::parse(bytes, "x.idf"));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    EXPECT_THAT(error.what(), HasSubstr("'x.idf'"));
    return error.what();
  }
  return "none";
}

TableParts small() {
  return parts_of({{7, 1}, {9, 3}, {uint64_t{1} << 63, 2}}, 3);
}

TEST(DocumentFrequency, EqualsStdMap) {
  std::mt19937_64 random(1);
  for (const uint64_t mask : {~uint64_t{0}, uint64_t{0xFFF}, uint64_t{0xFF} << 56}) {  // the last two are not hashes
    for (const size_t size : {0, 1, 2, 7, 100, 5000}) {
      std::map<uint64_t, uint32_t> counts;
      for (size_t i = 0; i < size; ++i) counts[random() & mask] = 1 + static_cast<uint32_t>(random() % (i % 10 == 0 ? 1'000'000 : 9));
      const auto table = DocumentFrequencyTable::parse(table_bytes(parts_of(counts, 1'000'000)), "x.idf");
      EXPECT_EQ(table.size(), counts.size());
      EXPECT_EQ(table.documents(), 1'000'000u);
      for (const auto& [hash, count] : counts) {
        ASSERT_EQ(table.frequency(hash), count);
        ASSERT_EQ(table.idf(hash), idf_fixed(1'000'000, count));
      }
      for (int i = 0; i < 1000; ++i) {
        const uint64_t hash = random() & mask;
        const auto found = counts.find(hash);
        ASSERT_EQ(table.frequency(hash), found == counts.end() ? 0 : found->second);
      }
      for (const uint64_t hash : {uint64_t{0}, ~uint64_t{0}}) ASSERT_EQ(table.frequency(hash), counts.contains(hash) ? counts[hash] : 0);
      EXPECT_EQ(table.idf_of_frequency(0), idf_fixed(1'000'000, 0));
    }
  }
}

TEST(DocumentFrequency, FilesAreMapped) {
  const auto path = std::filesystem::temp_directory_path() / "neardup_document_frequency_test.idf";
  const std::string bytes = table_bytes(small());
  std::ofstream(path, std::ios::binary) << bytes;
  const auto table = DocumentFrequencyTable::open(path);
  EXPECT_EQ(table.frequency(9), 3u);
  EXPECT_EQ(table.description(), "{}");
  uint64_t id = 0;
  std::memcpy(&id, bytes.data() + bytes.size() - 8, 8);
  EXPECT_EQ(table.id(), id);
  std::ofstream(path, std::ios::binary | std::ios::trunc);
  EXPECT_THROW(static_cast<void>(DocumentFrequencyTable::open(path)), Error) << "empty";
  std::filesystem::remove(path);
  EXPECT_THROW(static_cast<void>(DocumentFrequencyTable::open(path)), Error) << "not there";
  EXPECT_THROW(static_cast<void>(DocumentFrequencyTable::open(std::filesystem::temp_directory_path())), Error) << "a folder";
}

TEST(DocumentFrequency, EveryTruncationAndEveryFlippedBitIsFound) {
  const std::string whole = table_bytes(small());
  EXPECT_EQ(problem_of(whole), "none");
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_THAT(problem_of(whole.substr(0, size)), HasSubstr("truncated")) << size;
  EXPECT_THAT(problem_of(whole + "x"), HasSubstr("checksum: 1 bytes follow"));
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(problem_of(flipped), "none") << bit;
  }
}

// Files that another program might write, checksum and all.
TEST(DocumentFrequency, WrongPartsAreNamed) {
  const auto problem = [](auto change) {
    TableParts parts = small();
    change(parts);
    return problem_of(table_bytes(parts));
  };
  EXPECT_THAT(problem([](TableParts& p) { p.magic = "neardupG"; }), HasSubstr("header: it does not begin with"));
  EXPECT_THAT(problem([](TableParts& p) { p.version = 2; }), HasSubstr("header: version 2, this program knows 1"));
  EXPECT_THAT(problem([](TableParts& p) { p.description = std::string(65537, 'x'); }), HasSubstr("header: a description of 65537 bytes"));
  EXPECT_THAT(problem([](TableParts& p) { p.description = "\xFF"; }), HasSubstr("description: it is not valid UTF-8"));
  EXPECT_THAT(problem([](TableParts& p) { p.documents = 0xFFFFFFFF; }), HasSubstr("header: 4294967295 documents"));
  EXPECT_THAT(problem([](TableParts& p) { p.documents = 2; }), HasSubstr("counts: entry 1 is in 3 documents, expected 1 to 2"));
  EXPECT_THAT(problem([](TableParts& p) { p.least = 2; }), HasSubstr("counts: entry 0 is in 1 documents, expected 2 to 3"));
  EXPECT_THAT(problem([](TableParts& p) { p.least = 0; }), HasSubstr("header: the minimum frequency is 0"));
  EXPECT_THAT(problem([](TableParts& p) { p.entries = 4; }), HasSubstr("hashes and counts: the file is truncated"));
  EXPECT_THAT(problem([](TableParts& p) { p.entries = ~uint64_t{0} / 8; }), HasSubstr("hashes and counts: the file is truncated"));
  EXPECT_THAT(problem([](TableParts& p) { p.entries = ~uint64_t{0}; }), HasSubstr("hashes and counts: the file is truncated"));
  EXPECT_THAT(problem([](TableParts& p) { p.entries = 2; }), HasSubstr("checksum: "));
  EXPECT_THAT(problem([](TableParts& p) { std::swap(p.hashes[0], p.hashes[1]); }), HasSubstr("hashes: entry 1 is not above"));
  EXPECT_THAT(problem([](TableParts& p) { p.hashes[1] = p.hashes[0]; }), HasSubstr("hashes: entry 1 is not above"));
}

TEST(DocumentFrequency, DescriptionIsTheRecipeWithoutWhatComesAfterTokens) {
  EXPECT_EQ(frequency_description(Recipe::load("words-5").canonical_json()), R"({"normalizer":"nfkc_casefold_v1","tokenizer":"words_v1"})");
  EXPECT_EQ(frequency_description(R"({"tokenizer":"jieba_v1","clean":{"b":1},"sketch":{},"weighting":1,"normalizer":"n"})"),
            R"({"clean":{"b":1},"normalizer":"n","tokenizer":"jieba_v1"})");
}

}  // namespace
}  // namespace neardup
