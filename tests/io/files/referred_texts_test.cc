// Texts of files are read again by themselves: Record::offset, DocumentSource::reference_to(), make_referred_texts().
#include "base/hash.h"
#include "base/limits.h"
#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Referred {
  std::string source;
  uint64_t offset;
  uint64_t length;
  std::string text;

  [[nodiscard]] TextReference reference() const { return {.source = source, .offset = offset, .length = length, .hash = hash64(text)}; }
};

class ReferredTextFiles : public IoTest {
 protected:
  // The texts of a run over everything in the folder, unless others are named.
  [[nodiscard]] std::vector<Referred> run(SourceOptions options = {}, std::vector<std::string> inputs = {}) const {
    if (inputs.empty()) inputs = {folder_};
    const auto source = open_source(inputs, options);
    std::vector<Referred> texts;
    while (const auto batch = source->next()) {
      batch->read(Batch::Need::kText, {}, [&](uint32_t, const Record& record) {
        if (!record.problem.empty()) return;
        EXPECT_TRUE(record.offset.has_value()) << record.text;
        texts.push_back(
            {source->reference_to(record.where.source), record.offset.value_or(0), record.raw.size(), std::string(record.text)});
        EXPECT_FALSE(texts.back().source.empty()) << record.text;
      });
    }
    return texts;
  }
  // In descending order.
  static void expect_same(const std::vector<Referred>& texts) {
    const auto referred = make_referred_texts();
    std::string text;
    for (size_t i = texts.size(); i-- > 0;) {
      referred->read(texts[i].reference(), text);
      EXPECT_EQ(text, texts[i].text);
    }
  }
  [[nodiscard]] static std::string read_error(const TextReference& reference) {
    std::string text;
    try {
      make_referred_texts()->read(reference, text);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      return error.what();
    }
    return {};
  }
  [[nodiscard]] std::string reference_to(std::string_view name, SourceOptions options = {}) const {
    return open_source({path(name)}, options)->reference_to(0);
  }
};

TEST_F(ReferredTextFiles, LinesAreReadAgain) {
  write("a.jsonl",
        "\xEF\xBB\xBF{\"text\":\"one\"}\r\n\n{\"id\":3,\"text\":\"\\u4e00 \\\"two\\\" \\ud83d\\ude00\"}\nbroken\n{\"text\":\"\"}\n");
  write("b.jsonl", "{\"text\":\"a half \\ud83d pair\",\"huge\":1e999}\n{\"text\":\"without an end\"}");
  const auto texts = run();
  ASSERT_EQ(texts.size(), 5u);
  EXPECT_EQ(texts[0].offset, 3u);
  EXPECT_EQ(texts[1].offset, 20u);
  EXPECT_EQ(texts[1].text, "\u4e00 \"two\" \U0001F600");
  EXPECT_EQ(texts[3].offset, 0u);
  expect_same(texts);
}

TEST_F(ReferredTextFiles, BatchesDoNotMatter) {
  std::string lines;
  for (int i = 0; i < 300; ++i) lines += "{\"text\":\"" + std::string(static_cast<size_t>(i), 'x') + "\"}\n";
  write("a.jsonl", lines);
  SourceOptions options;
  options.batch_bytes = 700;
  const auto texts = run(options);
  ASSERT_EQ(texts.size(), 300u);
  EXPECT_EQ(lines.substr(texts[299].offset, texts[299].length), "{\"text\":\"" + std::string(299, 'x') + "\"}");
  expect_same(texts);
}

TEST_F(ReferredTextFiles, SeveralFieldsAreJoinedAgain) {
  write("a.jsonl", "{\"title\":\"one\",\"body\":{\"parts\":[\"two\",\"three\"]}}\n");
  SourceOptions options;
  options.text_field = {"title", "body.parts[*]"};
  const auto texts = run(options);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].text, "one\ntwo\nthree");
  expect_same(texts);
}

TEST_F(ReferredTextFiles, TextsAndPagesAreDecodedAgain) {
  write("a.txt", "\xEF\xBB\xBFplain\nwith a line");
  write("b.txt", "x\xFFy");
  std::string chinese;
  std::string gbk;
  for (int i = 0; i < 20; ++i) {
    chinese += "中华人民共和国宪法，";
    gbk += "\xD6\xD0\xBB\xAA\xC8\xCB\xC3\xF1\xB9\xB2\xBA\xCD\xB9\xFA\xCF\xDC\xB7\xA8\xA3\xAC";
  }
  write("c.txt", gbk);
  write("d.html", "<meta charset=gb18030><p>\xD6\xD0\xBB\xAA");
  write("e.txt", "");
  write("f.html", "<p>" + gbk);
  for (const char* charset : {"utf-8", "auto", "gbk"}) {
    SourceOptions options;
    options.charset = charset;
    const auto texts = run(options);
    ASSERT_EQ(texts.size(), 6u);
    EXPECT_EQ(texts[3].text, "<meta charset=gb18030><p>中华") << charset;
    EXPECT_EQ(texts[2].text == chinese, std::string(charset) != "utf-8") << charset;
    expect_same(texts);
  }
}

TEST_F(ReferredTextFiles, SeveralSourcesInSequence) {
  const auto sources = append_source(open_source({write("a.jsonl", "{\"text\":\"one\"}\n")}, {}), open_source({write("b.txt", "two")}, {}));
  EXPECT_EQ(sources->reference_to(0), reference_to("a.jsonl"));
  EXPECT_EQ(sources->reference_to(1), reference_to("b.txt"));
  EXPECT_NE(sources->reference_to(0), sources->reference_to(1));
}

TEST_F(ReferredTextFiles, TheReferenceNamesTheFileItself) {
  write("folder/a.jsonl", "{\"text\":\"one\"}\n");
  std::filesystem::create_symlink("folder/a.jsonl", path("link.jsonl"));
  const auto canonical = std::filesystem::canonical(path("folder/a.jsonl")).native();
  EXPECT_EQ(reference_to("link.jsonl"), std::string("lines\0text\0", 11) + canonical);
  SourceOptions options;
  options.charset = "latin1";
  options.format = InputFormat::kText;
  EXPECT_THAT(reference_to("folder/a.jsonl", options), AllOf(StartsWith(std::string("text\0", 5)), ::testing::EndsWith(canonical)));
}

TEST_F(ReferredTextFiles, OthersCannotBeReferredTo) {
  write("a.jsonl.gz", gzip_bytes("{\"text\":\"one\"}\n"));
  write("b.txt.gz", gzip_bytes("one"));
  write("c.json", "[{\"text\":\"one\"},\n{\"text\":\"two\"}]\n");
  write("d.warc", "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n");
  for (const char* name : {"a.jsonl.gz", "b.txt.gz", "c.json", "d.warc"}) EXPECT_EQ(reference_to(name), "") << name;
  const auto source = open_source({path("b.txt.gz")}, {});
  source->next()->read(Batch::Need::kText, {}, [&](uint32_t, const Record& record) {
    EXPECT_EQ(record.text, "one");
    EXPECT_FALSE(record.offset);
  });
  EXPECT_EQ(name_sources({"a"})->reference_to(0), "");
  EXPECT_EQ(open_source({"-"}, {})->reference_to(0), "");
}

TEST_F(ReferredTextFiles, ChangesAreErrors) {
  const std::string good = "{\"text\":\"one\"}\n{\"text\":\"two\"}\n";
  write("a.jsonl", good);
  const auto texts = run();
  ASSERT_EQ(texts.size(), 2u);
  const TextReference two = texts[1].reference();
  const std::string changed =
      "'" + std::filesystem::canonical(path("a.jsonl")).native() + "' changed after its texts were indexed: at byte 15: ";
  const std::string advice = ". Restore the file, or delete these texts from the index and add them again";
  write("a.jsonl", "{\"text\":\"one\"}\n{\"text\":\"TWO\"}\n");
  EXPECT_EQ(read_error(two), changed + "another text" + advice);
  EXPECT_EQ(read_error(texts[0].reference()), "") << "it is still there";
  write("a.jsonl", "{\"text\":\"one\"}\n\n{\"text\":\"two\"}\n");
  EXPECT_THAT(read_error(two), StartsWith(changed + "invalid JSON at byte 1"));
  write("a.jsonl", "{\"text\":\"one\"}\n{\"book\":\"two\"}\n");
  EXPECT_THAT(read_error(two), StartsWith(changed + "no field 'text'"));
  write("a.jsonl", good.substr(0, 20));
  EXPECT_EQ(read_error(two), changed + "it has 20 bytes, but the text ends at 29" + advice);
  std::filesystem::remove(path("a.jsonl"));
  EXPECT_THAT(read_error(two), AllOf(StartsWith("cannot open '"),
                                     HasSubstr("a.jsonl': No such file or directory; the index refers to the texts of this file")));
  std::filesystem::create_directory(path("a.jsonl"));
  EXPECT_THAT(read_error(two), HasSubstr("the index refers to the texts of this file"));
  std::filesystem::remove(path("a.jsonl"));
  write("a.jsonl", good);
  EXPECT_EQ(read_error(two), "") << "a new file with the same bytes will do";
}

TEST_F(ReferredTextFiles, HostileReferencesAreErrors) {
  write("a.jsonl", "{\"text\":\"one\"}\n");
  const std::string source = reference_to("a.jsonl");
  for (const auto& [offset, length] : {std::pair<uint64_t, uint64_t>{UINT64_MAX, 1}, {1, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}, {16, 0}}) {
    EXPECT_THAT(read_error({.source = source, .offset = offset, .length = length}), HasSubstr("it has 15 bytes, but the text ends at "));
  }
  const std::string file = path("a.jsonl");
  for (const std::string& other :
       {file, "lines" + std::string(1, '\0') + file, "table" + std::string(1, '\0') + "x" + std::string(1, '\0') + file}) {
    EXPECT_THAT(read_error({.source = other}), HasSubstr("in a way that this program does not know"));
  }
  const auto with_words = [&](const std::string& words) { return words + std::string(1, '\0') + file; };
  EXPECT_THAT(read_error({.source = with_words(std::string("text\0no charset", 15))}),
              AllOf(StartsWith("'" + file + "': the index refers to its text: charset: "), HasSubstr("'no charset'")));
  EXPECT_THAT(read_error({.source = source, .offset = 0, .length = 0}), HasSubstr("changed after its texts were indexed: at byte 0: "));
  EXPECT_THAT(read_error({.source = with_words(std::string("text\0auto", 9))}), HasSubstr("another text"));
  EXPECT_NE(read_error({}), "");
}

TEST_F(ReferredTextFiles, NoMoreIsReadThanATextMayHave) {
  write("a.txt", "one");
  const std::string source = reference_to("a.txt");
  const uint64_t most = limits::kMaxTextBytes;
  std::filesystem::resize_file(path("a.txt"), most + 1);  // a hole
  EXPECT_THAT(read_error({.source = source, .length = most + 1}),
              HasSubstr("a.txt': the index refers to a text in 268435457 bytes; expected at most 268435456"));
}

}  // namespace
}  // namespace neardup::testing
