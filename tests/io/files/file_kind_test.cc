#include "io/files/file_kind.h"

#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <string>

#include "io/io_fixture.h"

namespace neardup {
namespace {

using testing::IoTest;

class FileKinds : public IoTest {
 protected:
  std::optional<FileKind> in_folder(const std::string& name, const std::string& bytes, InputFormat format = InputFormat::kAuto) const {
    const std::string path = write(name, bytes);
    return kind_in_folder(path, InputFile(path).stamp(), format);
  }
};

TEST_F(FileKinds, Names) {
  const std::map<std::string, NamedKind> kinds{
      {"a.jsonl", NamedKind::kLines},         {"a.JSON.gz", NamedKind::kLines},    {"a.txt", NamedKind::kText},
      {"x.y/a.HTML", NamedKind::kHtml},       {"a.warc.wet.gz", NamedKind::kWarc}, {"a.parquet", NamedKind::kTable},
      {"a.CSV.zst", NamedKind::kTable},       {"part-00000", NamedKind::kUnnamed}, {"x.jsonl/part", NamedKind::kUnnamed},
      {"shard.0017.gz", NamedKind::kUnnamed}, {"a.rst", NamedKind::kOther},        {"a.pdf", NamedKind::kOther},
      {"a.parquet.gz", NamedKind::kOther},
  };
  for (const auto& [name, kind] : kinds) EXPECT_EQ(named_kind(name), kind) << name;
}

TEST_F(FileKinds, NamesThatSayNothingAreRecognizedByTheirBytes) {
  EXPECT_EQ(in_folder("part-0", "{\"text\":\"x\"}\nnot JSON"), FileKind::kLines);
  EXPECT_EQ(in_folder("part-1", "{\"text\":\"" + std::string(100'000, 'x') + "\"}\n"), FileKind::kLines);
  EXPECT_EQ(in_folder("part-2", "[{\"text\":\"x\"},\n{\"text\":\"y\"}]"), FileKind::kLines);
  EXPECT_EQ(in_folder("part.3", "{\n \"text\":\n \"x\"\n}\n"), FileKind::kLines);
  EXPECT_EQ(in_folder("part-4", "WARC/1.0\r\n"), FileKind::kWarc);
  EXPECT_EQ(in_folder("part-5", std::string("PAR1\x15\0\x15\0", 8)), FileKind::kTable);
  for (const char* text : {"", "a text", "{a text in braces}", "[1,2]", "%PDF-1.4", "\"x\"", "{\"text\": \"x\"", "WARC"}) {
    EXPECT_EQ(in_folder("part", text), std::nullopt) << text;
  }
  EXPECT_EQ(in_folder("_part", "{\"text\":\"x\"}\n"), std::nullopt) << "a side file";
  EXPECT_EQ(in_folder("part.rst", "{\"text\":\"x\"}\n"), std::nullopt) << "the name says something";
}

TEST_F(FileKinds, AFormatLeavesOutNamesOfOtherKinds) {
  using Format = InputFormat;
  EXPECT_EQ(in_folder("a.csv", "x", Format::kJsonl), std::nullopt);
  EXPECT_EQ(in_folder("a.html", "x", Format::kJsonl), std::nullopt);
  EXPECT_EQ(in_folder("a.warc", "x", Format::kJsonl), std::nullopt);
  for (const char* name : {"a.txt", "a.rst", "a", "a.json"}) EXPECT_EQ(in_folder(name, "x", Format::kJsonl), FileKind::kLines);
  EXPECT_EQ(in_folder("a.txt", "x", Format::kWarc), std::nullopt);
  EXPECT_EQ(in_folder("a.dat", "x", Format::kWarc), FileKind::kWarc);
  EXPECT_EQ(in_folder("a.csv", "x", Format::kText), FileKind::kText);
  EXPECT_EQ(in_folder("a.csv.gz", "x", Format::kCsv), FileKind::kTable);
  EXPECT_EQ(in_folder("a.tsv", "x", Format::kCsv), std::nullopt);
  EXPECT_EQ(in_folder("_a.csv", "x", Format::kCsv), std::nullopt);
  EXPECT_EQ(in_folder("_a.csv", "x"), std::nullopt);
  const std::string parquet("PAR1\x15\0\x15\0", 8);
  EXPECT_EQ(in_folder("a.PARQUET", "x", Format::kParquet), FileKind::kTable);
  EXPECT_EQ(in_folder("part-0", parquet, Format::kParquet), FileKind::kTable) << "as without a format";
  EXPECT_EQ(in_folder("part-0", parquet, Format::kCsv), std::nullopt);
  EXPECT_EQ(in_folder("part-1", "{\"text\":\"x\"}\n", Format::kParquet), std::nullopt);
  EXPECT_EQ(in_folder("part.dat", parquet, Format::kParquet), std::nullopt);
  EXPECT_EQ(in_folder("_part", parquet, Format::kParquet), std::nullopt);
}

}  // namespace
}  // namespace neardup
