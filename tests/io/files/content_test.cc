// What the first bytes of an input show it to be.
#include "io/files/content.h"

#include <algorithm>
#include <utility>
#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Layout layout(std::string_view head) {
  return layout_of(head, true);
}

TEST(Content, JsonLinesAreLines) {
  for (const char* lines :
       {"", "\n\n", "{\"text\":\"a\"}", "{\"text\":\"a\"}\n", "\n  {\"text\":\"a\"}\r\n{\"text\":\"b\"}\r\n", "{}\n{}\n",
        "\xEF\xBB\xBF{\"text\":\"a\"}\n{\"text\":\"b\"}\n", "{\"text\":\"a\\n\"}\nnonsense\n", "3\n", "[1]\n", "[\"a\"]\n{}\n"}) {
    EXPECT_EQ(layout(lines), Layout::kLines) << lines;
  }
}

// A broken first line is a broken record, not the beginning of a document.
TEST(Content, BrokenLinesAreLines) {
  for (const char* lines : {"{\n{\n{\"text\":\"a\"}\n", "{\"id\":1,\"text\":\"never ends\n{\"id\":2,\"text\":\"b\"}\n",
                            "{\"id\":1,\"text\":\"a\"\n{\"id\":2}\n", "{\"id\":1,\n{\"id\":2}\n", "{\"id\":\n", "{\"text\":\"caf\xE9\n{}\n",
                            "{nonsense\n\"a\":1}\n", "{\"a\":1}}\n{\"b\":2}\n"}) {
    if (std::string_view(lines) == "{\"id\":\n") continue;  // nothing contradicts it
    EXPECT_EQ(layout(lines), Layout::kLines) << lines;
  }
}

TEST(Content, DocumentsAreRecognized) {
  for (const char* document :
       {"[{\"text\":\"a\"},{\"text\":\"b\"}]", "[\n{\"text\":\"a\"}\n]", "  [ {", "[]", "[\n]\n", "\xEF\xBB\xBF[{\"a\":1}]",
        "{\n  \"text\": \"a\"\n}\n{\n  \"text\": \"b\"\n}\n", "{\n}\n", "{\"a\":1,\n\"text\":\"b\"}", "{\"a\":[\n1,\n2",
        "{\r\n\"a\": true,\r\n\"b\": nul", "{\"a\":\n\"half of a str"}) {
    EXPECT_EQ(layout(document), Layout::kDocument) << document;
  }
}

TEST(Content, ArchivesAreRecognized) {
  EXPECT_EQ(layout("WARC/1.0\r\nWARC-Type: response\r\n"), Layout::kArchive);
}

TEST(Content, CharsetsAreNamedWhenMostLinesAreNotUtf8) {
  const std::string chinese =
      "{\"text\":\"\xD6\xD0\xCE\xC4\xB5\xC4\xCE\xC4\xB1\xBE\xA3\xAC\xD5\xE2\xCA\xC7\xD2\xBB\xB8\xF6\xB2\xE2\xCA\xD4\xA1\xA3\"}\n";
  EXPECT_EQ(foreign_charset(chinese + chinese + chinese + chinese, false), "GB18030");
  EXPECT_EQ(foreign_charset(chinese, false), "") << "one line of many may be an exception";
  EXPECT_EQ(foreign_charset(chinese, true), "GB18030");
  EXPECT_EQ(foreign_charset(chinese + "{}\n", true), "") << "half of the lines";
  EXPECT_EQ(foreign_charset("{\"text\":\"\xE4\xB8\xAD\"}\n", true), "");
  EXPECT_EQ(foreign_charset("{\"text\":\"\xE4\xB8", false), "") << "cut inside of a character";
  const std::string wide("{\0\"\0t\0\"\0:\0\"\0a\0\"\0}\0\n\0", 20);
  EXPECT_EQ(foreign_charset(wide, true), "UTF-16LE");
  EXPECT_EQ(foreign_charset("\xFF\xFE" + wide, true), "UTF-16LE");
  EXPECT_EQ(foreign_charset(std::string_view("\0\1\2", 3), true), "");
}

class OpenContent : public IoTest {
 protected:
  [[nodiscard]] std::string error(std::string_view bytes, const SourceOptions& options = {}) const {
    return error_of([&] { open_source({write("x.jsonl", bytes)}, options); });
  }
  [[nodiscard]] std::vector<std::string> texts(std::string_view bytes) const {
    std::vector<std::string> all;
    for (const Seen& seen : collect(*open_source({write("x.jsonl", bytes)}, {})))
      all.push_back(seen.problem.empty() ? seen.text : seen.problem);
    return all;
  }
};

TEST_F(OpenContent, ForeignFormatsAreNamedPlainAndCompressed) {
  const std::pair<std::string, const char*> cases[] = {
      {"%PDF-1.7\n", "is a PDF file; extract its text first"},
      {std::string("SQLite format 3\0....", 20), "is a SQLite database; name one of its tables: sqlite:///FILE?table=NAME"},
      {"PK\x03\x04....", "is a ZIP archive, as .xlsx and .docx files are"},
      {"7z\xBC\xAF\x27\x1C..", "is a 7z archive"},
      {"\x04\x22\x4D\x18....", "is lz4 data; JSON Lines are read plain or compressed by gzip, zstd or bzip2"},
      {"\x89PNG\r\n\x1A\n....", "is a PNG image"},
      {std::string("\x7F"
                   "ELF\2\1",
                   6),
       "is a program (ELF)"},
      {std::string("ARROW1\0\0", 8), "is Arrow data"},
      {std::string("FEA1\0\0\0\0", 8), "is Feather data"},
      {"PAR1\x15\x04\x15\x80\x02", "is Parquet data"},
      {"ORC\n\x06\x12\x04", "is ORC data"},
      {"LZIP\x01\x0C", "is lzip data"},
      {std::string("GIF89a\x20\x03\x58\x02\xF7\0\0", 13), "is a GIF image"},
      {std::string(257, '\0') + std::string("ustar\00000", 8), "is a tar archive"},
      {std::string(257, '\0') + std::string("ustar  \0", 8), "is a tar archive"},
  };
  for (const auto& [bytes, message] : cases) {
    EXPECT_THAT(error(bytes), HasSubstr(message));
    EXPECT_THAT(error(gzip_bytes(bytes)), HasSubstr(message)) << "inside of gzip";
    EXPECT_THAT(error(zstd_bytes(bytes)), HasSubstr(message)) << "inside of zstd";
  }
  EXPECT_THAT(error(gzip_bytes(zstd_bytes("{}\n"))), HasSubstr("is zstd data inside of gzip data"));
}

// A text may begin with any word: here its lines are broken records, or a table of fingerprints.
TEST(Content, WordsOfATextAreNoFormat) {
  for (const std::string word : {"ORC", "GIF8", "GIF89a", "PAR1", "FEA1", "LZIP", "ARROW1"}) {
    EXPECT_EQ(foreign_format(word + "\n").name, "");
    EXPECT_EQ(foreign_format(word + " is a word\r\n\tand \xE4\xB8\xAD another\n").name, "");
    EXPECT_EQ(foreign_format(word + "_name\tfingerprint\x1F\n" + std::string(20, 'x') + '\0').name, "") << word;
  }
  EXPECT_EQ(foreign_format(std::string(257, 'x') + "ustar is a word too").name, "");
}

// Gives its bytes in pieces, as a pipe does, and remembers how far it was read.
class Pieces final : public ByteStream {
 public:
  Pieces(std::string bytes, size_t piece) : bytes_(std::move(bytes)), piece_(piece) {}
  size_t read(char* to, size_t bytes) override {
    const size_t got = bytes_.copy(to, std::min(bytes, piece_), at_);
    at_ += got;
    max_ = std::max(max_, at_);
    return got;
  }
  void rewind() override { at_ = 0; }
  [[nodiscard]] size_t most() const { return max_; }

 private:
  const std::string bytes_;
  const size_t piece_;
  size_t at_ = 0;
  size_t max_ = 0;
};

std::string live_content(const std::string& bytes, size_t piece) {
  Pieces stream(bytes, piece);
  try {
    const Content content = recognize_content(stream, "x", true);
    return std::to_string(static_cast<int>(content.layout)) + std::string(name_of(content.compression));
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Content, LiveStreamsDependOnTheirBytesOnly) {
  const std::string document = "\n[\n  {\"text\": \"a\"},\n  {\"text\": \"b\"}\n]\n";
  const std::string chinese = "{\"text\":\"\xD6\xD0\xCE\xC4\xB5\xC4\xCE\xC4\xB1\xBE\xA3\xAC\xD5\xE2\xCA\xC7\"}\n";
  const std::pair<std::string, std::string> cases[] = {
      {"", "0"},
      {"\n\n", "0"},
      {"{\"text\":\"a\"}\n[{\"text\":\"b\"}]\n", "0"},
      {document, "1"},
      {"[]\n", "1"},
      {"[]\n{}\n", "0"},
      {"{\n\"text\": \"a\"\n}\n", "1"},
      {"{\"text\":\"no brace\"\n{\"text\":\"a\"}\n", "0"},
      {"{\n{\n{\"text\":\"a\"}\n", "0"},
      {gzip_bytes(document), "1gzip"},
      {zstd_bytes("{}\n"), "0zstd"},
      {chinese + chinese + chinese + chinese + chinese, "0"},
      {"WARC/1.0\r\n", "2"},
      {"\x89PNG\r\n\x1A\n....", "'x' is a PNG image; JSON Lines are read plain or compressed by gzip, zstd or bzip2"},
      {"ORC\n\x06\x12\x04", "'x' is ORC data; convert it to Parquet"},
  };
  for (const auto& [bytes, expected] : cases) {
    for (size_t piece = 1; piece <= bytes.size() + 1; ++piece) EXPECT_EQ(live_content(bytes, piece), expected) << bytes << " by " << piece;
  }
}

TEST(Content, TheFirstLineOfALiveStreamIsNotKeptWaiting) {
  for (const std::string line : {"{}\n", "\n{\"text\":\"a\"}\n", "nonsense\n", "{nonsense\n", "[1]\n", "3\n"}) {
    Pieces stream(line + "{}\n", line.size());
    recognize_content(stream, "x", true);
    EXPECT_EQ(stream.most(), line.size()) << line;
  }
}

TEST_F(OpenContent, ATarFileIsNoCrawlArchive) {
  const std::string tar = "pages.html" + std::string(247, '\0') + std::string("ustar\00000", 8);
  EXPECT_THAT(error_of([&] { open_source({write("pages.warc", tar)}, {}); }), HasSubstr("pages.warc' is a tar archive; unpack it first"));
}

TEST_F(OpenContent, TextInAnotherCharsetIsNamed) {
  EXPECT_THAT(error(std::string("\xFF\xFE{\0\"\0t\0\"\0:\0\"\0a\0\"\0}\0", 20)),
              AllOf(HasSubstr("looks like UTF-16LE"), HasSubstr("iconv -f UTF-16LE")));
  EXPECT_THAT(
      error("{\"text\":\"\xD6\xD0\xCE\xC4\xB5\xC4\xCE\xC4\xB1\xBE\xA3\xAC\xD5\xE2\xCA\xC7\xD2\xBB\xB8\xF6\xB2\xE2\xCA\xD4\xA1\xA3\"}\n"),
      HasSubstr("looks like GB18030"));
}

TEST_F(OpenContent, ArchivesUnderAnotherNameAreRead) {
  const std::string body = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello";
  const std::string record =
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:a>\r\nContent-Type: application/http\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body + "\r\n\r\n";
  EXPECT_THAT(texts(record), ElementsAre("hello"));
  EXPECT_THAT(texts(gzip_bytes(record)), ElementsAre("hello"));
  SourceOptions lines;
  lines.format = InputFormat::kJsonl;
  EXPECT_THAT(error(record, lines), HasSubstr("is a crawl archive (WARC), not JSON Lines: give --format warc"));
}

}  // namespace
}  // namespace neardup::testing
