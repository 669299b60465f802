// Text files: one document each.
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
