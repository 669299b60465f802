// Plain JSON Lines files: framing, rows, batches. Compressed files and standard input: the same records as from the plain file, and damage
// that loses nothing.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <random>
#include <thread>
#include <utility>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

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

TEST_F(PlainLines, LongRecordIsRejectedUnchanged) {
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

struct Format {
  const char* name;
  std::function<std::string(std::string_view)> compress;
};
const Format kFormats[] = {
    {"gzip", [](std::string_view plain) { return gzip_bytes(plain); }}, {"zstd", zstd_bytes}, {"bzip2", bzip2_bytes}};

std::string some_lines(size_t count, uint64_t seed = 3) {
  std::mt19937_64 random(seed);
  std::string bytes;
  for (size_t i = 0; i < count; ++i) {
    bytes.append(R"({"id":)").append(std::to_string(i)).append(R"(,"text":")");
    for (uint64_t words = random() % 20; words > 0; --words) bytes.append("w").append(std::to_string(random() % 1000)).append(" ");
    bytes += "\"}\n";
    if (random() % 11 == 0) bytes += "\n";
  }
  return bytes;
}

class StreamLines : public IoTest {
 protected:
  // What a damaged input gives: its records, or why it is refused when it is opened. Either way the same for the same bytes.
  static std::pair<decltype(collect(std::declval<DocumentSource&>())), std::string> outcome(const std::string& path,
                                                                                            const SourceOptions& options = {}) {
    try {
      return {collect(*open_source({path}, options)), ""};
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      return {{}, error.what()};
    }
  }
};

TEST_F(StreamLines, SameRecordsAsPlain) {
  for (const std::string& plain : {std::string(), std::string("\n\n"), some_lines(1), some_lines(700),
                                   some_lines(50) + R"({"text":"no newline"})", "\xEF\xBB\xBF" + some_lines(3)}) {
    SourceOptions options;
    const auto expected = collect(*open_source({write("in.jsonl", plain)}, options));
    for (const Format& format : kFormats) {
      write("in.any", format.compress(plain));
      for (const uint64_t batch_bytes : {1u, 2u, 64u, 1000u, 4u << 20}) {
        options.batch_bytes = batch_bytes;
        const auto source = open_source({path("in.any")}, options);
        EXPECT_EQ(collect(*source), expected) << format.name << " " << batch_bytes;
        EXPECT_EQ(collect(*source), expected) << format.name << " again";
      }
    }
  }
}

TEST_F(StreamLines, ConcatenatedStreamsAndPadding) {
  const std::string plain = some_lines(20);
  const size_t cut = plain.size() / 2;  // within a line
  const auto expected = collect(*open_source({write("in.jsonl", plain)}, {}));
  for (const Format& format : kFormats) {
    const std::string both = format.compress(plain.substr(0, cut)) + format.compress("") + format.compress(plain.substr(cut));
    EXPECT_EQ(collect(*open_source({write("two", both)}, {})), expected) << format.name;
    EXPECT_EQ(collect(*open_source({write("padded", both + std::string(300'000, '\0'))}, {})), expected) << format.name;
  }
}

// Large enough to be decompressed ahead of the reader, in several pieces.
TEST_F(StreamLines, LargeFilesAndDamageInThem) {
  const std::string plain = some_lines(60'000);
  const auto expected = collect(*open_source({write("in.jsonl", plain)}, {}));
  for (const Format& format : kFormats) {
    std::string packed;
    for (size_t at = 0; at < plain.size(); at += 100'000) packed += format.compress(std::string_view(plain).substr(at, 100'000));
    ASSERT_GT(packed.size(), 600'000u);
    const auto source = open_source({write("in", packed)}, {});
    EXPECT_TRUE(collect(*source) == expected) << format.name;
    source->next();  // a pass that is given up early
    EXPECT_TRUE(collect(*source) == expected) << format.name << " again";
    const auto cut = collect(*open_source({write("cut", packed.substr(0, packed.size() - 20))}, {}));
    ASSERT_GT(cut.size(), expected.size() / 2);
    EXPECT_THAT(cut.back().problem, StartsWith(std::string(format.name) + " stream is truncated after "));
    EXPECT_TRUE(std::equal(cut.begin(), cut.end() - 1, expected.begin())) << format.name;
  }
}

TEST_F(StreamLines, GarbageAfterTheStream) {
  for (const Format& format : kFormats) {
    const auto seen = collect(*open_source({write("in", format.compress("{\"text\":\"a\"}\n") + "garbage")}, {}));
    ASSERT_EQ(seen.size(), 2u) << format.name;
    EXPECT_EQ(seen[0].text, "a");
    EXPECT_THAT(seen[1].problem, StartsWith(std::string(format.name) + " stream is ")) << seen[1].problem;
    EXPECT_THAT(seen[1].problem, HasSubstr("after 13 bytes"));
    EXPECT_EQ(seen[1].raw, "");
  }
}

TEST_F(StreamLines, LongZstdWindow) {
  ZSTD_CCtx* state = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(state, ZSTD_c_windowLog, 30);
  ZSTD_CCtx_setParameter(state, ZSTD_c_enableLongDistanceMatching, 1);
  const std::string plain = some_lines(100);
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  ZSTD_inBuffer in{plain.data(), plain.size(), 0};
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  ZSTD_compressStream2(state, &out, &in, ZSTD_e_continue);  // the size is not known in advance, so the window is unchanged
  ZSTD_compressStream2(state, &out, &in, ZSTD_e_end);
  ZSTD_freeCCtx(state);
  packed.resize(out.pos);
  EXPECT_EQ(collect(*open_source({write("in", packed)}, {})).size(), 100u);
}

// Cut at every byte: the records before the damage are read, the rest is one rejected record, and nothing depends on batches.
TEST_F(StreamLines, TruncatedAtEveryByte) {
  const std::string plain = some_lines(12);
  const auto whole = collect(*open_source({write("in.jsonl", plain)}, {}));
  for (const Format& format : kFormats) {
    const std::string packed = format.compress(plain);
    for (size_t size = 10; size < packed.size(); ++size) {
      SourceOptions options;
      const auto source = open_source({write("cut", packed.substr(0, size))}, options);
      const auto seen = collect(*source);
      ASSERT_FALSE(seen.empty()) << format.name << " " << size;
      for (size_t i = 0; i + 1 < seen.size(); ++i) ASSERT_EQ(seen[i], whole[i]);
      EXPECT_THAT(seen.back().problem, StartsWith(std::string(format.name) + " stream is truncated after "));
      EXPECT_THAT(seen.back().problem, EndsWith(" bytes"));
      std::string before;
      for (size_t row = 1, at = 0; row < seen.back().row; ++row) {
        const size_t end = plain.find('\n', at) + 1;
        before += plain.substr(at, end - at);
        at = end;
      }
      before += seen.back().raw;
      EXPECT_TRUE(plain.starts_with(before));
      EXPECT_THAT(seen.back().problem, HasSubstr(" after " + std::to_string(before.size()) + " bytes"));
      EXPECT_EQ(collect(*source), seen);
      options.batch_bytes = 50;
      EXPECT_EQ(collect(*open_source({path("cut")}, options)), seen) << format.name << " " << size;
    }
  }
}

TEST_F(StreamLines, CorruptBytesDoNotDependOnBatches) {
  const std::string plain = some_lines(300);
  std::mt19937_64 random(5);
  for (const Format& format : kFormats) {
    const std::string packed = format.compress(plain);
    for (int round = 0; round < 60; ++round) {
      std::string bad = packed;
      for (uint64_t edits = 1 + random() % 3; edits > 0; --edits)
        bad[10 + random() % (bad.size() - 10)] = static_cast<char>(random() % 256);
      SourceOptions options;
      const auto seen = outcome(write("bad", bad), options);
      for (const uint64_t batch_bytes : {1u, 777u}) {
        options.batch_bytes = batch_bytes;
        EXPECT_TRUE(outcome(path("bad"), options) == seen) << format.name << " " << round;
      }
    }
  }
}

TEST_F(StreamLines, RandomBytesAfterAMagic) {
  std::mt19937_64 random(6);
  for (const std::string_view magic :
       {std::string_view("\x1F\x8B\x08\x00", 4), std::string_view("\x28\xB5\x2F\xFD"), std::string_view("BZh91AY&SY")}) {
    for (int round = 0; round < 200; ++round) {
      std::string bytes(magic);
      for (uint64_t more = random() % 300; more > 0; --more) bytes.push_back(static_cast<char>(random() % 256));
      const auto [records, refusal] = outcome(write("in", bytes));
      ASSERT_TRUE(!records.empty() || !refusal.empty());
    }
  }
}

TEST_F(StreamLines, LongRecordIsSpooledAndRejected) {
  SourceOptions options;
  options.max_record_bytes = 1000;
  options.temp_dir = folder_;
  const std::string longer = R"({"text":")" + std::string(5'000'000, 'l') + R"("})";
  for (const char* end : {"", "\n", "\n{\"text\":\"z\"}\n", "\n{\"text\":\"z\"}"}) {
    const std::string plain = "{\"text\":\"a\"}\n" + longer + end;
    for (const uint64_t batch_bytes : {10u, 500u, 4u << 20}) {
      options.batch_bytes = batch_bytes;
      const auto expected = collect(*open_source({write("in.jsonl", plain)}, options));
      EXPECT_EQ(expected[1].raw.size(), longer.size());
      for (const Format& format : kFormats) {
        const auto source = open_source({write("in", format.compress(plain))}, options);
        EXPECT_EQ(collect(*source), expected) << format.name;
        EXPECT_EQ(collect(*source), expected) << format.name;
      }
    }
  }
}

TEST_F(StreamLines, LongRecordInATruncatedStream) {
  SourceOptions options;
  options.max_record_bytes = 100;
  std::mt19937_64 random(1);
  std::string longer;
  for (int i = 0; i < 100'000; ++i) longer.push_back(static_cast<char>('a' + random() % 26));
  const std::string packed = gzip_bytes("{\"text\":\"a\"}\n" + longer);
  const auto seen = collect(*open_source({write("in", packed.substr(0, packed.size() - 100))}, options));
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_THAT(seen[1].problem, StartsWith("gzip stream is truncated after "));
  EXPECT_GT(seen[1].raw.size(), 90'000u);
  EXPECT_TRUE(longer.starts_with(seen[1].raw));
}

TEST_F(StreamLines, ChangeBetweenPassesIsAnError) {
  const auto source = open_source({write("in.gz", gzip_bytes("{\"text\":\"a\"}\n"))}, {});
  collect(*source);
  write("in.gz", gzip_bytes("{\"text\":\"a\"}\n{\"text\":\"b\"}\n"));
  EXPECT_THAT(error_of([&] { collect(*source); }), HasSubstr("changed while it was read"));
}

TEST_F(StreamLines, OtherFormatsAreNamed) {
  write("a.jsonl", std::string("\xFD"
                               "7zXZ\0more",
                               10));
  EXPECT_THAT(error_of([&] { open_source({path("a.jsonl")}, {}); }), HasSubstr("is xz data"));
  write("b.json", "PAR1\x15\x04\x15\x80");
  EXPECT_THAT(error_of([&] { open_source({path("b.json")}, {}); }), HasSubstr("is Parquet data"));
}

// Standard input is another file for the time of a test.
class StandardInput : public IoTest {
 protected:
  StandardInput() : saved_(dup(STDIN_FILENO)) {}
  ~StandardInput() override {
    feeder_ = {};
    dup2(saved_, STDIN_FILENO);
    close(saved_);
  }
  void feed(const std::string& bytes) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    feeder_ = std::jthread([bytes, end = ends[1]] {
      for (size_t at = 0; at < bytes.size();) {
        const ssize_t written = ::write(end, bytes.data() + at, std::min<size_t>(bytes.size() - at, 777));
        if (written <= 0) break;
        at += static_cast<size_t>(written);
      }
      close(end);
    });
  }

  int saved_;
  std::jthread feeder_;
};

TEST_F(StandardInput, IsReadMoreThanOnce) {
  const std::string plain = some_lines(400);
  SourceOptions options;
  options.temp_dir = folder_;
  const auto expected = collect(*open_source({write("in.jsonl", plain)}, options));
  for (const std::string& bytes : {plain, gzip_bytes(plain), zstd_bytes(plain), bzip2_bytes(plain)}) {
    for (const uint64_t batch_bytes : {100u, 4u << 20}) {
      options.batch_bytes = batch_bytes;
      feed(bytes);
      const auto source = open_source({"-"}, options);
      EXPECT_EQ(source->input_bytes(), 0u);
      EXPECT_EQ(source->source_name(0), "-");
      source->rewind();
      source->next();  // a pass that is given up early
      EXPECT_EQ(collect(*source), expected);
      EXPECT_EQ(collect(*source), expected);
    }
  }
}

TEST_F(StandardInput, Empty) {
  feed("");
  EXPECT_THAT(collect(*open_source({"-"}, {})), IsEmpty());
}

TEST_F(StandardInput, IsNotText) {
  SourceOptions options;
  options.format = InputFormat::kText;
  EXPECT_THAT(error_of([&] { open_source({"-"}, options); }), HasSubstr("standard input cannot be read as text files"));
}

TEST_F(StreamLines, NamedPipe) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const std::jthread writer([this] { std::ofstream(path("pipe")) << "{\"text\":\"piped\"}\n"; });
  const auto source = open_source({path("pipe")}, {});
  EXPECT_THAT(texts_of(collect(*source)), ElementsAre("piped"));
  EXPECT_THAT(texts_of(collect(*source)), ElementsAre("piped"));
}

}  // namespace
}  // namespace neardup::testing
