// Which files the words of a command line mean.
#include "io/files/input_list.h"

#include <sys/stat.h>
#include <unistd.h>

#include "io/io_fixture.h"
#include "support/allowed_skips.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class InputList : public IoTest {
 protected:
  std::vector<std::string> names(const std::vector<std::string>& inputs, InputFormat format = InputFormat::kAuto) const {
    std::vector<std::string> found;
    for (const InputEntry& entry : list_inputs(inputs, format)) {
      std::string name = entry.path;
      if (name.starts_with(folder_)) name = name.substr(folder_.size() + 1);
      constexpr const char* kKinds[] = {"", " text", " stream", " warc", " table"};  // in the order of Kind
      found.push_back(name + kKinds[static_cast<size_t>(entry.kind)] + (entry.html ? " html" : ""));
    }
    return found;
  }
  [[nodiscard]] std::string error(const std::vector<std::string>& inputs, InputFormat format = InputFormat::kAuto) const {
    return error_of([&] { list_inputs(inputs, format); });
  }
};

TEST_F(InputList, EndingsDecide) {
  for (const char* name :
       {"a.jsonl", "b.ndjson.zst", "c.json.gz", "d.txt", "e.text.bz2", "f.md", "g.csv", "sub/h.jsonl", "sub.x", "noending"})
    write(name, "");
  EXPECT_THAT(names({folder_}), ElementsAre("a.jsonl", "b.ndjson.zst", "c.json.gz", "d.txt text", "e.text.bz2 text", "f.md text",
                                            "g.csv table", "sub/h.jsonl"));
  EXPECT_THAT(names({path("g.csv"), path("noending"), path("d.txt")}), ElementsAre("g.csv table", "noending", "d.txt text"));
  EXPECT_THAT(names({path("sub")}, InputFormat::kText), ElementsAre("sub/h.jsonl text"));
  EXPECT_THAT(names({path("d.txt")}, InputFormat::kJsonl), ElementsAre("d.txt"));
  EXPECT_EQ(names({folder_}, InputFormat::kText).size(), 10u);
  EXPECT_EQ(names({folder_}, InputFormat::kJsonl).size(), 9u) << "all but the table";
  EXPECT_THAT(names({folder_}, InputFormat::kCsv), ElementsAre("g.csv table"));
}

TEST_F(InputList, PagesAndArchives) {
  for (const char* name : {"a.html", "b.htm.gz", "c.xhtml", "d.warc", "e.warc.gz", "f.warc.wet.gz", "g.warc.zst", "h.HTML", "i.md"})
    write(name, "");
  EXPECT_THAT(names({folder_}),
              ElementsAre("a.html text html", "b.htm.gz text html", "c.xhtml text html", "d.warc warc html", "e.warc.gz warc html",
                          "f.warc.wet.gz warc", "g.warc.zst warc html", "h.HTML text html", "i.md text"));
  EXPECT_THAT(names({path("i.md"), "-"}, InputFormat::kWarc), ElementsAre("i.md warc html", "- warc html"));
  EXPECT_THAT(names({path("a.html"), path("d.warc")}, InputFormat::kText), ElementsAre("a.html text html", "d.warc text"));
  EXPECT_THAT(names({path("a.html"), path("d.warc")}, InputFormat::kJsonl), ElementsAre("a.html", "d.warc"));
}

TEST_F(InputList, OrderIsAsGivenThenByPathBytes) {
  for (const char* name : {"z.jsonl", "d/b.jsonl", "d/B.jsonl", "d/a/z.jsonl", "d/a-b.jsonl", "d/10.jsonl", "d/9.jsonl", "d/é.jsonl"})
    write(name, "");
  EXPECT_THAT(names({path("z.jsonl"), path("d")}),
              ElementsAre("z.jsonl", "d/10.jsonl", "d/9.jsonl", "d/B.jsonl", "d/a-b.jsonl", "d/a/z.jsonl", "d/b.jsonl", "d/é.jsonl"));
  EXPECT_THAT(names({path("d/?.jsonl")}), ElementsAre("d/9.jsonl", "d/B.jsonl", "d/b.jsonl"));
}

TEST_F(InputList, Globs) {
  write("a1.jsonl", "");
  write("a2.jsonl", "");
  write("a[1].jsonl", "");
  EXPECT_THAT(names({path("a[12].jsonl")}), ElementsAre("a1.jsonl", "a2.jsonl"));
  EXPECT_THAT(names({path("a[1].jsonl")}), ElementsAre("a[1].jsonl")) << "a file of that very name comes first";
  EXPECT_EQ(error({path("b*.jsonl")}), "input: no file matches '" + path("b*.jsonl") + "'");
}

TEST_F(InputList, MissingInputs) {
  EXPECT_EQ(error({path("x.jsonl")}), "input: cannot open '" + path("x.jsonl") + "': No such file or directory");
  write("file", "");
  EXPECT_EQ(error({path("file/x")}), "input: cannot open '" + path("file/x") + "': Not a directory");
  EXPECT_EQ(error({""}), "input: cannot open '': No such file or directory");
  EXPECT_EQ(error_of([] { open_source({}, {}); }), "input: no input is given");
}

TEST_F(InputList, FolderWithoutInputNamesWhatItHas) {
  write("a.pdf", "");
  write("b/c.dat", "");
  EXPECT_THAT(error({folder_}), AllOf(StartsWith("input: no input in '" + folder_ +
                                                 "': it has only 1 .dat, 1 .pdf; names of inputs end in .jsonl, .ndjson, "),
                                      HasSubstr("--format text")));
  EXPECT_THAT(error({folder_}, InputFormat::kCsv), EndsWith("it has only 1 .dat, 1 .pdf, which the given --format does not read"));
  std::filesystem::create_directory(path("empty"));
  EXPECT_EQ(error({path("empty")}, InputFormat::kText), "input: no input in '" + path("empty") + "': it has no files");
  write("side/_part.parquet", "");
  EXPECT_EQ(error({path("side")}), "input: no input in '" + path("side") + "': it has only files whose names begin with '.' or '_'");
  ASSERT_EQ(symlink("../b", path("empty/link").c_str()), 0);
  EXPECT_EQ(error({path("empty")}), "input: no input in '" + path("empty") + "': it has no files; 1 link to a folder is not followed: '" +
                                        path("empty/link") + "'");
}

TEST_F(InputList, FilesLeftOutOfAFolderAreReported) {
  for (const char* name : {"a.jsonl", "b.csv", "c.rst", "sub/d.rst.gz", "sub/e.rst", "README", "_SUCCESS", ".hidden"}) write(name, "");
  ASSERT_EQ(symlink("nowhere", path("gone.jsonl").c_str()), 0);
  ASSERT_EQ(symlink("sub", path("linked").c_str()), 0);
  ASSERT_EQ(mkfifo(path("pipe.jsonl").c_str(), 0600), 0);
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& message) { warnings.push_back(message); };
  list_inputs({folder_}, InputFormat::kAuto, warn);
  const std::string links =
      "; 1 link leads nowhere: '" + path("gone.jsonl") + "'; 1 link to a folder is not followed: '" + path("linked") + "'";
  EXPECT_THAT(warnings,
              ElementsAre("left out 5 files of '" + folder_ +
                          "': 2 .rst, 1 .rst.gz, 1 special, 1 without an ending; --format text takes every file as one document" + links));
  warnings.clear();
  // Advice fits the files left out, or is omitted.
  list_inputs({folder_}, InputFormat::kCsv, warn);
  EXPECT_THAT(warnings,
              ElementsAre("left out 6 files of '" + folder_ + "': 2 .rst, 1 .jsonl, 1 .rst.gz, 1 special, 1 without an ending" + links));
  warnings.clear();
  write("sub/f.md", "");
  list_inputs({path("sub")}, InputFormat::kAuto, warn);
  EXPECT_THAT(warnings, ElementsAre("left out 2 files of '" + path("sub") + "': 1 .rst, 1 .rst.gz ('" + path("sub/d.rst.gz") + "', '" +
                                    path("sub/e.rst") + "'); --format text takes every file as one document"));
  warnings.clear();
  write("piped/a.jsonl", "");
  ASSERT_EQ(mkfifo(path("piped/b.jsonl").c_str(), 0600), 0);
  list_inputs({path("piped")}, InputFormat::kAuto, warn);
  EXPECT_THAT(warnings, ElementsAre("left out 1 file of '" + path("piped") + "': 1 special ('" + path("piped/b.jsonl") + "')"));
  warnings.clear();
  list_inputs({path("a.jsonl"), path("sub/e.rst")}, InputFormat::kAuto, warn);
  list_inputs({path("sub")}, InputFormat::kText, warn);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(InputList, FilesThatOnlySayThatTheyAreEmpty) {
  write("empty.jsonl", "");
  EXPECT_THAT(names({path("empty.jsonl")}), ElementsAre("empty.jsonl"));
  if (!std::filesystem::exists("/proc/self/status")) GTEST_SKIP() << "needs /proc";
  EXPECT_THAT(names({"/proc/self/status"}), ElementsAre("/proc/self/status stream"));
  EXPECT_THAT(error({"/proc/self/status"}, InputFormat::kText), HasSubstr("has content but says that it has 0 bytes"));
}

TEST_F(InputList, GivenTwiceIsAnError) {
  const std::string a = write("d/a.jsonl", "");
  EXPECT_EQ(error({a, a}), "usage: '" + a + "' is given twice");
  EXPECT_EQ(error({a, path("d/../d/a.jsonl")}), "usage: '" + path("d/../d/a.jsonl") + "' is given twice, before as '" + a + "'");
  EXPECT_THAT(error({path("d"), a}), EndsWith("is given twice"));
  EXPECT_THAT(error({folder_, path("d")}), EndsWith("is given twice"));
  ASSERT_EQ(symlink(a.c_str(), path("link.jsonl").c_str()), 0);
  EXPECT_THAT(error({a, path("link.jsonl")}), HasSubstr("is given twice"));
  EXPECT_THAT(error({"-", "-"}), "usage: '-' is given twice");
}

TEST_F(InputList, LinksInsideAFolderAreDocumentsOfTheirOwn) {
  write("a.jsonl", "");
  ASSERT_EQ(symlink("a.jsonl", path("b.jsonl").c_str()), 0);
  ASSERT_EQ(link(path("a.jsonl").c_str(), path("c.jsonl").c_str()), 0);
  ASSERT_EQ(symlink("nowhere", path("d.jsonl").c_str()), 0);
  ASSERT_EQ(symlink(".", path("loop").c_str()), 0);
  EXPECT_THAT(names({folder_}), ElementsAre("a.jsonl", "b.jsonl", "c.jsonl"));
}

TEST_F(InputList, Unreadable) {
  NEARDUP_NEEDS_ORDINARY_USER();
  const std::string file = write("a.jsonl", "");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  EXPECT_EQ(error_of([&] { open_source({file}, {}); }), "input: cannot open '" + file + "': Permission denied");
}

TEST_F(InputList, ConcatenationCountsOn) {
  write("r/a.jsonl", "{\"text\":\"r\"}\n");
  write("i/b.jsonl", "{\"text\":\"i\"}\n");
  write("i/c.txt", "t");
  const auto both = concatenate(open_source({path("r")}, {}), open_source({path("i")}, {}));
  EXPECT_EQ(both->source_count(), 3u);
  EXPECT_EQ(both->source_name(2), path("i/c.txt"));
  const auto seen = collect(*both);
  EXPECT_THAT(texts_of(seen), ElementsAre("r", "i", "t"));
  EXPECT_EQ(seen[2].source, 2u);
  EXPECT_EQ(collect(*both), seen);
}

}  // namespace
}  // namespace neardup::testing
