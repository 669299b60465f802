// Text files: one document each.
#include "io/files/text_files.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class TextFiles : public IoTest {
 protected:
  std::vector<Seen> read_tree(SourceOptions options = {}) { return collect(*open_source({folder_}, options)); }
};

TEST_F(TextFiles, EveryFileIsADocument) {
  write("b/2.txt", "two\nlines\n");
  write("a.md", "one");
  write("b/10.txt.gz", gzip_bytes("packed"));
  write("empty.text", "");
  write("other.bin", "not read");
  const auto seen = read_tree();
  EXPECT_THAT(texts_of(seen), ElementsAre("one", "packed", "two\nlines\n", ""));
  EXPECT_EQ(seen[1],
            (Seen{.source = 1, .row = 1, .raw = "packed", .problem = "", .id = path("b/10.txt.gz"), .text = "packed", .has_id = true}));
}

TEST_F(TextFiles, BatchesDoNotMatter) {
  for (int i = 0; i < 1500; ++i) write(std::to_string(i) + ".txt", std::string(static_cast<size_t>(i % 50), 'x'));
  SourceOptions options;
  const auto whole = read_tree(options);
  EXPECT_EQ(whole.size(), 1500u);
  options.batch_bytes = 1;
  EXPECT_EQ(read_tree(options), whole);
  options.batch_bytes = 10'000;
  EXPECT_EQ(read_tree(options), whole);
}

// A filter is asked once per file, after the visit of the one before, also while files are read ahead.
TEST_F(TextFiles, FiltersAreNotAskedAhead) {
  for (int i = 0; i < 200; ++i) write(std::to_string(1000 + i) + ".txt", "text " + std::to_string(i));
  const std::vector<InputEntry> entries = list_inputs({folder_}, InputFormat::kAuto);
  const Charset charset = Charset::parse("utf-8");
  LineContext context{SourceOptions()};
  std::atomic<size_t> ahead_count = 0;
  FilesAhead ahead([&](const std::string&, uint64_t, const std::atomic<bool>&) {
    ++ahead_count;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  });
  const auto wait_for_storage = [&] {
    const FilesAhead::Timing timing(ahead);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  for (int i = 0; i < 8; ++i) wait_for_storage();
  ASSERT_TRUE(ahead.helps());
  std::vector<std::atomic<TextState>> states(entries.size());
  const auto batch = make_text_batch(entries, states, 0, charset, context, ahead);
  uint32_t asked = 0;
  uint32_t visited = 0;
  const auto wanted = [&](uint32_t i) {
    EXPECT_EQ(i, asked++);
    EXPECT_EQ(visited, (i + 1) / 2);
    return i % 2 == 0;
  };
  batch->read(Batch::Need::kText, wanted, [&](uint32_t i, const Record& record) {
    EXPECT_EQ(record.text, "text " + std::to_string(i));
    EXPECT_EQ(visited++, i / 2);
    wait_for_storage();
  });
  EXPECT_EQ(asked, 200u);
  EXPECT_EQ(visited, 100u);
  EXPECT_GT(ahead_count, 0u);
}

TEST_F(TextFiles, MixWithJsonLines) {
  write("a.txt", "A");
  write("b.jsonl", "{\"text\":\"B1\"}\n{\"text\":\"B2\"}\n");
  write("c.txt", "C");
  write("d.txt", "D");
  const auto seen = read_tree();
  EXPECT_THAT(texts_of(seen), ElementsAre("A", "B1", "B2", "C", "D"));
  EXPECT_EQ(seen[2].source, 1u);
  EXPECT_EQ(seen[2].row, 2u);
  EXPECT_EQ(seen[4].source, 3u);
}

TEST_F(TextFiles, MalformedUtf8IsRepaired) {
  write("a.txt", "x\xFFy");
  write("b.txt", "\xEF\xBB\xBFmarked");
  const auto seen = read_tree();
  EXPECT_EQ(seen[0].text, "x\uFFFDy");
  EXPECT_EQ(seen[0].raw, "x\xFFy");
  EXPECT_TRUE(seen[0].repaired);
  EXPECT_EQ(seen[1].text, "marked");
  EXPECT_EQ(seen[1].raw, "\xEF\xBB\xBFmarked");
  EXPECT_FALSE(seen[1].repaired);
}

TEST_F(TextFiles, TooLongOrDamaged) {
  SourceOptions options;
  options.max_record_bytes = 100;
  write("a.txt", std::string(100, 'a'));
  write("b.txt", std::string(101, 'b'));
  write("c.txt.gz", gzip_bytes(std::string(101, 'c')));
  write("d.txt.gz", gzip_bytes("damaged text").substr(0, 25));
  const auto seen = read_tree(options);
  EXPECT_EQ(seen[0].problem, "");
  EXPECT_EQ(seen[1].problem, "the file has 101 bytes, max_record_bytes is 100");
  EXPECT_EQ(seen[1].raw.size(), 101u);
  EXPECT_EQ(seen[2].problem, "the file has more than 100 bytes, max_record_bytes is 100");
  EXPECT_THAT(seen[3].problem, StartsWith("gzip stream is truncated after "));
  EXPECT_EQ(seen[3].text, "");
}

TEST_F(TextFiles, VanishedFileIsRejectedInEveryPass) {
  write("a.txt", "a");
  write("b.txt", "b");
  const auto source = open_source({folder_}, {});
  std::filesystem::remove(path("a.txt"));
  const auto seen = collect(*source);
  EXPECT_EQ(seen[0].problem, "cannot open '" + path("a.txt") + "': No such file or directory");
  EXPECT_EQ(seen[1].text, "b");
  EXPECT_EQ(collect(*source), seen);
  std::filesystem::remove(path("b.txt"));
  EXPECT_THAT(error_of([&] { collect(*source); }), HasSubstr("cannot open")) << "it was a document in the pass before";
}

TEST_F(TextFiles, ChangedFileIsAnError) {
  write("a.txt", "a");
  const auto source = open_source({folder_}, {});
  write("a.txt", "longer");
  EXPECT_THAT(error_of([&] { collect(*source); }), HasSubstr("changed while it was read"));
}

TEST_F(TextFiles, FilterDoesNotOpen) {
  write("a.txt", "a");
  write("b.txt", "b");
  const auto source = open_source({folder_}, {});
  std::filesystem::remove(path("a.txt"));
  const auto batch = source->next();
  std::string text;
  EXPECT_EQ(batch->read(
                Batch::Need::kParsed, [](uint32_t n) { return n == 1; }, [&](uint32_t, const Record& record) { text = record.text; }),
            2u);
  EXPECT_EQ(text, "b");
}

}  // namespace
}  // namespace neardup::testing
