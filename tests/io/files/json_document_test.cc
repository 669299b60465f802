// One JSON document read as JSON Lines: its records, its damage, and that neither depends on how it is read.
#include "io/files/json_document.h"

#include <random>

#include "io/bytes/byte_stream.h"
#include "io/bytes/decompress.h"
#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Lines {
  std::string bytes;
  std::string damage;
};

Lines lines_of(std::string_view document, size_t step = 4096) {
  MemoryStream stream(document);
  const auto reader = make_json_document(make_decompressor(Compression::kNone, stream));
  Lines lines;
  std::string piece(step, '\0');
  while (const size_t got = reader->read(piece.data(), piece.size())) lines.bytes.append(piece, 0, got);
  lines.damage = reader->damage();
  return lines;
}

void expect(std::string_view document, std::string_view lines) {
  const Lines found = lines_of(document);
  EXPECT_EQ(found.bytes, lines) << document;
  EXPECT_EQ(found.damage, "") << document;
  EXPECT_EQ(lines_of(document, 1).bytes, lines) << document;
}

TEST(JsonDocument, RecordsAreTheirOwnBytesOnOneLine) {
  expect("[]", "");
  expect("[{\"a\":1},{\"a\":2}]", "{\"a\":1}\n{\"a\":2}\n");
  expect("[ {\"a\": 1} ,\n\t{\"a\":  2}\n]\n", "{\"a\": 1}\n{\"a\":  2}\n");
  expect("[\n  {\n    \"a\": \"x\\ny\",\r\n    \"b\": [1,\n 2]\n  }\n]", "{ \"a\": \"x\\ny\", \"b\": [1, 2] }\n");
  expect("{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n", "{ \"a\": 1 }\n{ \"a\": 2 }\n");
  expect("\xEF\xBB\xBF[{}]", "{}\n");
  expect("[{\"a\":\"]},[{\\\"\"}]", "{\"a\":\"]},[{\\\"\"}\n");
  expect("[{}] [{\"b\":[]}]\n{}", "{}\n{\"b\":[]}\n{}\n");
}

// What is not an object is a record all the same; the reader of the line rejects it.
TEST(JsonDocument, OtherElementsAreRecordsToo) {
  expect("[1, \"a,]\", null, [1,\n2], {}]", "1\n\"a,]\"\nnull\n[1, 2]\n{}\n");
  expect("true\n1.5e3", "true\n1.5e3\n");
}

TEST(JsonDocument, DamageEndsIt) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"[{\"a\":1},{\"a\"", "{\"a\":1}\n{\"a\"", "breaks off at byte 14: the document ends inside of a record"},
      {"[{\"a\":1}", "{\"a\":1}\n", "breaks off at byte 9: the document ends inside of its array"},
      {"[{\"a\":1},", "{\"a\":1}\n", "the document ends inside of its array"},
      {"[{} {}]", "{}\n", "breaks off at byte 5: a comma is missing"},
      {"[{},,{}]", "{}\n", "breaks off at byte 5: an unexpected ','"},
      {"[{},]", "{}\n", "breaks off at byte 5: an unexpected ']'"},
      {"[{}]]", "{}\n", "an unexpected ']'"},
      {"[{}}", "{}\n", "an unexpected '}'"},
      {"[{\"a\":\"x\n\"}]", "{\"a\":\"x", "breaks off at byte 9: a string is not closed on its line"},
  };
  for (const auto& [document, lines, damage] : cases) {
    const Lines found = lines_of(document);
    EXPECT_EQ(found.bytes, lines) << document;
    EXPECT_THAT(found.damage, HasSubstr(damage)) << document;
  }
}

// The slow twin: what was put in comes out, whatever white space stands between.
TEST(JsonDocument, AnyWhiteSpaceGivesTheSameRecords) {
  std::mt19937 random(5);
  constexpr const char* kWhite[] = {"", " ", "\n", "\r\n", "\n\t  ", "  "};
  const auto white = [&] { return std::string(kWhite[random() % std::size(kWhite)]); };
  for (int round = 0; round < 200; ++round) {
    std::string document = white() + "[";
    std::string expected;
    const size_t records = random() % 40;
    for (size_t i = 0; i < records; ++i) {
      std::string text;
      for (size_t letters = random() % 30; letters > 0; --letters) text += "ab[]{},: \\n"[random() % 9];
      const std::string record = "{\"id\":" + std::to_string(i) + ",\"text\":\"" + text + "\"}";
      document += (i == 0 ? "" : ",") + white() + record + white();
      expected += record + "\n";
    }
    document += "]" + white();
    for (const size_t step : {1u, 7u, 1000u}) EXPECT_EQ(lines_of(document, step).bytes, expected) << document;
  }
}

class DocumentSourceTest : public IoTest {};

std::vector<std::string> texts_of(DocumentSource& source) {
  std::vector<std::string> all;
  for (const Seen& seen : collect(source))
    all.push_back(std::to_string(seen.row) + " " + (seen.problem.empty() ? seen.text : seen.problem));
  return all;
}

TEST_F(DocumentSourceTest, IsReadLikeLinesPlainAndCompressed) {
  std::string document = "[";
  std::string lines;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = "number " + std::to_string(i * 7919);
    document += std::string(i == 0 ? "" : ",") + "\n  {\n    \"id\": " + std::to_string(i) + ",\n    \"text\": \"" + text + "\"\n  }";
    lines += "{ \"id\": " + std::to_string(i) + ", \"text\": \"" + text + "\" }\n";
  }
  document += "\n]\n";
  const auto expected = collect(*open_source({write("x.json", lines)}, {}));
  ASSERT_EQ(expected.size(), 3000u);
  for (const std::string& bytes : {document, gzip_bytes(document), zstd_bytes(document), bzip2_bytes(document)}) {
    for (const uint64_t batch_bytes : {100u, 5000u, 4u << 20}) {
      SourceOptions options;
      options.batch_bytes = batch_bytes;
      const auto source = open_source({write("x.json", bytes)}, options);
      EXPECT_EQ(collect(*source), expected);
      EXPECT_EQ(collect(*source), expected) << "again";
    }
  }
}

TEST_F(DocumentSourceTest, ElementsThatAreNoRecordsAreRejected) {
  const auto source = open_source({write("x.json", "[{\"text\":\"a\"}, 5, {\"txt\":\"b\"}, {\"text\":\"c\"}]")}, {});
  EXPECT_THAT(texts_of(*source), ElementsAre("1 a", "2 the line is a number, not an object", "3 no field 'text'", "4 c"));
}

TEST_F(DocumentSourceTest, ABrokenDocumentGivesEarlierRecords) {
  const auto source = open_source({write("x.json", "[{\"text\":\"a\"}, {\"text\":\"b\"} {\"text\":\"c\"}]")}, {});
  EXPECT_THAT(texts_of(*source), ElementsAre("1 a", "2 b", HasSubstr("3 the JSON document breaks off at byte 29: a comma is missing")));
}

TEST_F(DocumentSourceTest, NoMoreThanABlockIsHeld) {
  // A record beyond the limit is rejected like a long line.
  SourceOptions options;
  options.max_record_bytes = 100;
  const auto source = open_source({write("x.json", "[{\"text\":\"" + std::string(1000, 'a') + "\"},{\"text\":\"b\"}]")}, options);
  EXPECT_THAT(texts_of(*source), ElementsAre("1 the record has 1011 bytes, max_record_bytes is 100", "2 b"));
}

}  // namespace
}  // namespace neardup::testing
