// Plain JSON Lines files: framing, rows, batches.
#include <random>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PlainLines : public IoTest {
 protected:
  std::vector<Seen> read_all(std::string_view bytes, SourceOptions options = {}) {
    return collect(*open_source({write("in.jsonl", bytes)}, options));
  }
};

TEST_F(PlainLines, ReadsRecords) {
  const auto seen = read_all("{\"id\":\"a\",\"text\":\"one\"}\n{\"text\":\"two\",\"id\":7}\n");
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(
      seen[0],
      (Seen{.source = 0, .row = 1, .raw = "{\"id\":\"a\",\"text\":\"one\"}", .problem = "", .id = "a", .text = "one", .has_id = true}));
  EXPECT_EQ(seen[1],
            (Seen{.source = 0, .row = 2, .raw = "{\"text\":\"two\",\"id\":7}", .problem = "", .id = "7", .text = "two", .has_id = true}));
}

TEST_F(PlainLines, LastLineNeedsNoNewline) {
  EXPECT_THAT(texts_of(read_all("{\"text\":\"a\"}\n{\"text\":\"b\"}")), ElementsAre("a", "b"));
}

TEST_F(PlainLines, EmptyAndBlank) {
  EXPECT_THAT(read_all(""), IsEmpty());
  EXPECT_THAT(read_all("\n\n\n"), IsEmpty());
  EXPECT_THAT(read_all(" \t\r\n"), IsEmpty());
  EXPECT_THAT(read_all("\xEF\xBB\xBF"), IsEmpty());
}

TEST_F(PlainLines, BlankLinesAreRows) {
  const auto seen = read_all("\n{\"text\":\"a\"}\n \r\n\n{\"text\":\"b\"}\n");
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].row, 2u);
  EXPECT_EQ(seen[1].row, 5u);
}

TEST_F(PlainLines, CarriageReturnBelongsToTheLine) {
  const auto seen = read_all("{\"text\":\"a\"}\r\n{\"text\":\"b\"}\r\n");
  EXPECT_THAT(texts_of(seen), ElementsAre("a", "b"));
  EXPECT_EQ(seen[0].raw, "{\"text\":\"a\"}\r");
}

TEST_F(PlainLines, ByteOrderMarkIsNotPartOfTheFirstLine) {
  const auto seen = read_all("\xEF\xBB\xBF{\"text\":\"a\"}\n{\"text\":\"b\"}\n");
  EXPECT_THAT(texts_of(seen), ElementsAre("a", "b"));
  EXPECT_EQ(seen[0].raw, "{\"text\":\"a\"}");
}

TEST_F(PlainLines, OnlyNewlineEndsARecord) {
  const std::string text = "a\u2028b\u2029c\u0085d\x7F";
  EXPECT_THAT(texts_of(read_all("{\"text\":\"" + text + "\"}\n{\"text\":\"x\\u0000y\\u000b\"}\n")),
              ElementsAre(text, std::string("x\0y\v", 4)));
}

TEST_F(PlainLines, RawNulIsBrokenJsonButNoEndOfLine) {
  const auto seen = read_all(std::string("{\"text\":\"a\0b\"}\n{\"text\":\"c\"}\n", 28));
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_THAT(seen[0].problem, HasSubstr("control character"));
  EXPECT_EQ(seen[0].raw.size(), 14u);
  EXPECT_EQ(seen[1].text, "c");
}

TEST_F(PlainLines, RowsCountAcrossBatches) {
  std::string bytes;
  for (int i = 0; i < 500; ++i) bytes += i % 7 == 0 ? "\n" : "{\"text\":\"" + std::string(static_cast<size_t>(i % 90), 'x') + "\"}\n";
  SourceOptions options;
  const auto whole = read_all(bytes, options);
  for (const uint64_t batch_bytes : {1u, 2u, 17u, 64u, 100u, 1000u, 12345u}) {
    options.batch_bytes = batch_bytes;
    EXPECT_EQ(read_all(bytes, options), whole) << batch_bytes;
  }
}

// Whatever the bytes: every batch size gives the same records, and the raw bytes and newlines make up the file.
TEST_F(PlainLines, RandomBytesAreFramedTheSame) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 60; ++round) {
    std::string bytes(random() % 400, '\0');
    for (char& c : bytes)
      c = random() % 9 == 0 ? '\n' : random() % 4 == 0 ? static_cast<char>(random() % 256) : "{}\":,atext 1"[random() % 12];
    SourceOptions options;
    options.max_record_bytes = random() % 2 == 0 ? 1u << 20 : 30;
    const auto whole = read_all(bytes, options);
    options.batch_bytes = 1 + random() % 80;
    EXPECT_EQ(read_all(bytes, options), whole);
    uint64_t total = 0;
    for (const Seen& seen : whole) total += seen.raw.size() + 1;
    EXPECT_LE(total, bytes.size() + 1);
  }
}

TEST_F(PlainLines, LongRecordIsRejectedWhole) {
  SourceOptions options;
  options.max_record_bytes = 1000;
  options.batch_bytes = 64;
  const std::string exact = "{\"text\":\"" + std::string(1000 - 11, 'e') + "\"}";
  const std::string longer = "{\"text\":\"" + std::string(5'000'000, 'l') + "\"}";
  for (const char* end : {"", "\n", "\n{\"text\":\"z\"}\n"}) {
    const auto seen = read_all("{\"text\":\"a\"}\n" + exact + "\n" + longer + end, options);
    ASSERT_GE(seen.size(), 3u);
    EXPECT_EQ(seen[1].problem, "");
    EXPECT_EQ(seen[1].text.size(), 989u);
    EXPECT_EQ(seen[2].problem, "the record has 5000011 bytes, max_record_bytes is 1000");
    EXPECT_EQ(seen[2].raw, longer);
    EXPECT_EQ(seen[2].row, 3u);
    if (seen.size() == 4) {
      EXPECT_EQ(seen[3].row, 4u);
    }
  }
}

TEST_F(PlainLines, LimitIsInclusiveForEveryBatchSize) {
  SourceOptions options;
  for (const size_t size : {19u, 20u, 21u, 40u, 41u, 300u}) {
    const std::string line = "{\"text\":\"" + std::string(size - 11, 'x') + "\"}";
    for (const uint64_t batch_bytes : {1u, 10u, 19u, 20u, 21u, 1000u}) {
      options.batch_bytes = batch_bytes;
      options.max_record_bytes = 20;
      for (const char* end : {"", "\n", "\n\n"}) {
        const auto seen = read_all(line + end, options);
        ASSERT_EQ(seen.size(), 1u);
        EXPECT_EQ(seen[0].problem.empty(), size <= 20) << size << " " << batch_bytes;
        EXPECT_EQ(seen[0].raw, line);
      }
    }
  }
}

TEST_F(PlainLines, FilterSkipsWithoutParsing) {
  const auto source = open_source({write("in.jsonl", "{\"text\":\"a\"}\nbroken\n{\"text\":\"b\"}\n")}, {});
  const auto batch = source->next();
  std::vector<uint32_t> visited;
  const uint32_t count = batch->read(
      Batch::Need::kParsed, [](uint32_t n) { return n == 2; },
      [&](uint32_t n, const Record& record) {
        visited.push_back(n);
        EXPECT_EQ(record.text, "b");
        EXPECT_EQ(record.where.row, 3u);
      });
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(batch->rows(), 3u);
  EXPECT_THAT(visited, ElementsAre(2u));
}

TEST_F(PlainLines, RawNeedsNoParsing) {
  const auto source = open_source({write("in.jsonl", "{\"text\":\"a\"}\nbroken\n")}, {});
  const auto seen = collect(*source, Batch::Need::kRaw);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].text, "");
  EXPECT_EQ(seen[1].raw, "broken");
  EXPECT_EQ(seen[1].problem, "");
}

TEST_F(PlainLines, RewindGivesTheSame) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += "{\"text\":\"" + std::to_string(i) + "\"}\n";
  SourceOptions options;
  options.batch_bytes = 100;
  const auto source = open_source({write("in.jsonl", bytes)}, options);
  const auto first = collect(*source);
  EXPECT_EQ(first.size(), 100u);
  EXPECT_EQ(collect(*source), first);
  source->rewind();
  source->next();  // a pass that is given up
  EXPECT_EQ(collect(*source), first);
}

TEST_F(PlainLines, ChangeBetweenPassesIsAnError) {
  const auto source = open_source({write("in.jsonl", "{\"text\":\"a\"}\n")}, {});
  collect(*source);
  write("in.jsonl", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n");
  EXPECT_THAT(error_of([&] { collect(*source); }), "input: '" + path("in.jsonl") + "' changed while it was read");
}

TEST_F(PlainLines, ChangeWithinAPassIsAnError) {
  SourceOptions options;
  options.batch_bytes = 16;
  const auto source = open_source({write("in.jsonl", "{\"text\":\"aaaaaaaa\"}\n{\"text\":\"bbbbbbb\"}\n")}, options);
  const auto batch = source->next();
  write("in.jsonl", "{\"text\":\"x\"}\n");
  EXPECT_THAT(error_of([&] { batch->read(Batch::Need::kParsed, {}, [](uint32_t, const Record&) {}); }),
              HasSubstr("changed while it was read"));
}

}  // namespace
}  // namespace neardup::testing
