// Sinks for files: what they write, when it appears, what happens when it cannot be written.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const Verdict kKept{.keeper = {}, .keeper_id = {}, .cluster = {.source = 0, .row = 1}, .cluster_size = 1};
const Verdict kRemoved{.decision = Decision::kRemove,
                       .reason = Reason::kNearDuplicate,
                       .keeper = {.source = 0, .row = 3},
                       .keeper_id = "k\"1",
                       .keeper_has_id = true,
                       .similarity = 0.8333333333,
                       .cluster = {.source = 0, .row = 3},
                       .cluster_size = 2};

std::string gunzip_file(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  std::string out(1 << 22, '\0');
  const int got = gzread(file, out.data(), static_cast<unsigned>(out.size()));
  gzclose(file);
  out.resize(got < 0 ? 0 : static_cast<size_t>(got));
  return out;
}

std::string unzstd(const std::string& packed) {
  std::string out(1 << 22, '\0');
  const size_t got = ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size());
  out.resize(ZSTD_isError(got) != 0 ? 0 : got);
  return out;
}

std::string unbzip2(std::string packed) {
  std::string out(1 << 22, '\0');
  auto size = static_cast<unsigned>(out.size());
  const int result = BZ2_bzBuffToBuffDecompress(out.data(), &size, packed.data(), static_cast<unsigned>(packed.size()), 0, 0);
  out.resize(result == BZ_OK ? size : 0);
  return out;
}

class Sinks : public IoTest {
 protected:
  Sinks() {
    write("in/a.jsonl", "{\"id\":\"1\",\"text\":\"x\"}\n{\"text\":\"y\"}\r\n");
    write("in/b.txt", "plain \"text\"\n");
    source_ = open_source({path("in")}, {});
  }

  /// Every record goes through the sink; the n-th document is removed if `removed` has its bit.
  void run(Sink& sink, unsigned removed) const {
    std::string out;
    unsigned n = 0;
    uint64_t rows_before = 0;
    source_->rewind();
    while (const auto batch = source_->next()) {
      batch->read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
        Record placed = record;
        placed.where.row += rows_before;
        out.clear();
        sink.format(placed, (removed >> n++ & 1) != 0 ? kRemoved : kKept, out);
        sink.append(record.where.source, out);
      });
      rows_before = 0;
    }
  }
  std::string written(const std::string& name, std::unique_ptr<Sink> sink, unsigned removed) const {
    run(*sink, removed);
    EXPECT_FALSE(exists(name)) << "before commit";
    sink->commit();
    return read(name);
  }

  std::unique_ptr<DocumentSource> source_;
};

TEST_F(Sinks, KeptAndRemovedAreTheInputsOwnBytes) {
  const std::string as_json = "{\"id\":\"" + path("in/b.txt") + "\",\"text\":\"plain \\\"text\\\"\\n\"}\n";
  EXPECT_EQ(written("k", make_document_sink(path("k"), Which::kKept, *source_), 0b000),
            "{\"id\":\"1\",\"text\":\"x\"}\n{\"text\":\"y\"}\r\n" + as_json);
  EXPECT_EQ(written("k2", make_document_sink(path("k2"), Which::kKept, *source_), 0b101), "{\"text\":\"y\"}\r\n");
  EXPECT_EQ(written("r", make_document_sink(path("r"), Which::kRemoved, *source_), 0b101), "{\"id\":\"1\",\"text\":\"x\"}\n" + as_json);
  EXPECT_EQ(written("none", make_document_sink(path("none"), Which::kRemoved, *source_), 0), "");
}

TEST_F(Sinks, Verdicts) {
  const std::string a = path("in/a.jsonl");
  const std::string own = ",\"cluster_id\":\"" + a + ":1\",\"cluster_size\":1";  // of the test's verdict of kept documents
  EXPECT_EQ(
      written("v.jsonl", make_verdict_sink(path("v.jsonl"), *source_), 0b010),
      "{\"id\":\"1\",\"source\":\"" + a + "\",\"row\":1,\"verdict\":\"keep\",\"reason\":\"" + std::string(to_string(Reason::kUnique)) +
          "\",\"keeper_id\":null,\"keeper_source\":null,\"keeper_row\":null,\"similarity\":null" + own +
          "}\n"
          "{\"id\":null,\"source\":\"" +
          a + "\",\"row\":2,\"verdict\":\"remove\",\"reason\":\"" + std::string(to_string(Reason::kNearDuplicate)) +
          "\",\"keeper_id\":\"k\\\"1\",\"keeper_source\":\"" + a + "\",\"keeper_row\":3,\"similarity\":0.833333,\"cluster_id\":\"" + a +
          ":3\",\"cluster_size\":2}\n"
          "{\"id\":\"" +
          path("in/b.txt") + "\",\"source\":\"" + path("in/b.txt") + "\",\"row\":1,\"verdict\":\"keep\",\"reason\":\"" +
          std::string(to_string(Reason::kUnique)) + "\",\"keeper_id\":null,\"keeper_source\":null,\"keeper_row\":null,\"similarity\":null" +
          own + "}\n");
  const std::string tsv = written("v.tsv", make_verdict_sink(path("v.tsv"), *source_), 0b010);
  EXPECT_THAT(
      tsv, StartsWith("id\tsource\trow\tverdict\treason\tkeeper_id\tkeeper_source\tkeeper_row\tsimilarity\tcluster_id\tcluster_size\n1\t" +
                      a + "\t1\tkeep\t"));
  EXPECT_THAT(tsv, HasSubstr("\n\t" + a + "\t2\tremove\t" + std::string(to_string(Reason::kNearDuplicate)) + "\tk\"1\t" + a +
                             "\t3\t0.833333\t" + a + ":3\t2\n"));
  EXPECT_THAT(tsv, HasSubstr("\tkeep\t" + std::string(to_string(Reason::kUnique)) + "\t\t\t\t\t" + a + ":1\t1\n"));
}

TEST_F(Sinks, TsvCellsStayInTheirCells) {
  const auto sink = make_verdict_sink(path("v.tsv.gz"), *source_);
  std::string out;
  sink->format({.where = {0, 1}, .raw = "", .problem = "", .id = "a\tb\nc\rd", .text = "", .has_id = true}, kKept, out);
  EXPECT_THAT(out, StartsWith("a b c d\t"));
}

TEST_F(Sinks, AnnotateKeepsTheOtherBytes) {
  const auto sink = make_annotate_sink(path("a"), *source_);
  const auto annotated = [&](std::string_view raw) {
    std::string out;
    sink->format({.where = {0, 1}, .raw = raw, .problem = "", .id = "", .text = ""}, kKept, out);
    return out;
  };
  const std::string fields =
      "\"neardup_verdict\":\"keep\",\"neardup_reason\":\"" + std::string(to_string(Reason::kUnique)) +
      "\",\"neardup_keeper_id\":null,\"neardup_keeper_source\":null,\"neardup_keeper_row\":null,\"neardup_similarity\":null,"
      "\"neardup_cluster_id\":\"" +
      path("in/a.jsonl") + ":1\",\"neardup_cluster_size\":1";
  EXPECT_EQ(annotated(R"({"text":"x"})"), R"({"text":"x",)" + fields + "}\n");
  EXPECT_EQ(annotated("{\"text\":\"x\" } \t\r"), "{\"text\":\"x\" ," + fields + "} \t\r\n");
  EXPECT_EQ(annotated("{}"), "{" + fields + "}\n");
  EXPECT_EQ(annotated(" { } "), " { " + fields + "} \n");
  EXPECT_EQ(annotated(R"({"text":"}","n":{}})"), R"({"text":"}","n":{},)" + fields + "}\n");
  const std::string all = written("b", make_annotate_sink(path("b"), *source_), 0b001);
  EXPECT_THAT(all, HasSubstr("\"neardup_keeper_row\":3,\"neardup_similarity\":0.833333,\"neardup_cluster_id\":"));
  EXPECT_THAT(all, HasSubstr(":3\",\"neardup_cluster_size\":2}\n"));
  EXPECT_THAT(all, HasSubstr("{\"id\":\"" + path("in/b.txt") + "\",\"text\":\"plain \\\"text\\\"\\n\",\"neardup_verdict\":\"keep\""));
}

TEST_F(Sinks, CompressionBySuffixIsReproducible) {
  std::string line;
  for (int i = 0; i < 200; ++i) line.append(std::to_string(i * 7919));
  std::string expected;
  for (int i = 0; i < 3000; ++i) expected.append(line).append("\n");
  for (const char* suffix : {".gz", ".zst", ".bz2"}) {
    std::string bytes;
    for (const size_t piece : {size_t{1} << 30, line.size() + 1, size_t{4096}, size_t{1'000'003}}) {
      const std::string name = std::string("k").append(std::to_string(piece)).append(suffix);
      const auto sink = make_document_sink(path(name), Which::kKept, *source_);
      for (size_t at = 0; at < expected.size(); at += piece) sink->append(0, std::string_view(expected).substr(at, piece));
      sink->commit();
      if (bytes.empty()) bytes = read(name);
      EXPECT_TRUE(read(name) == bytes) << name;
      const std::string plain = suffix[1] == 'g' ? gunzip_file(path(name)) : suffix[1] == 'z' ? unzstd(read(name)) : unbzip2(read(name));
      EXPECT_TRUE(plain == expected) << name;
    }
    EXPECT_LT(bytes.size(), expected.size());
  }
  make_document_sink(path("e.gz"), Which::kKept, *source_)->commit();
  EXPECT_EQ(read("e.gz"), std::string("\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0", 20)) << "no time, no name";
}

TEST_F(Sinks, Pairs) {
  const PairSink::End a{.where = {0, 1}, .id = "1", .has_id = true};
  const PairSink::End b{.where = {0, 2}, .id = ""};
  const auto tsv = make_pair_sink(path("p.tsv"), *source_);
  tsv->append(a, b, 2.0 / 3);
  tsv->append(b, a, 1);
  tsv->commit();
  EXPECT_EQ(read("p.tsv"),
            "id_a\tid_b\tsimilarity\n1\t" + path("in/a.jsonl") + ":2\t0.666667\n" + path("in/a.jsonl") + ":2\t1\t1.000000\n");
  const auto json = make_pair_sink(path("p.jsonl"), *source_);
  json->append(a, b, 0.8);
  json->commit();
  EXPECT_EQ(read("p.jsonl"), "{\"id_a\":\"1\",\"id_b\":\"" + path("in/a.jsonl") + ":2\",\"similarity\":0.800000}\n");
}

TEST_F(Sinks, SimilarityIsPrintfsSixDecimals) {
  const auto sink = make_pair_sink(path("p"), *source_);
  std::string expected = "id_a\tid_b\tsimilarity\n";
  const PairSink::End end{.where = {0, 1}, .id = "x", .has_id = true};
  for (int den = 1; den < 400; ++den) {
    for (int num = 0; num <= den; num += 7) {
      char text[40];
      std::snprintf(text, sizeof text, "x\tx\t%.6f\n", static_cast<double>(num) / den);
      expected += text;
      sink->append(end, end, static_cast<double>(num) / den);
    }
  }
  sink->commit();
  EXPECT_TRUE(read("p") == expected);
}

TEST_F(Sinks, RejectsAreUnchanged) {
  const auto sink = make_reject_sink(path("r"), *source_);
  sink->append({.where = {0, 1}, .raw = "broken \xFF\r", .problem = "p", .id = "", .text = ""});
  sink->append({.where = {0, 2}, .raw = "", .problem = "gzip stream is truncated", .id = "", .text = ""});
  const std::string big(3'000'000, 'b');
  sink->append({.where = {0, 3}, .raw = big, .problem = "p", .id = "", .text = ""});
  sink->append({.where = {1, 1}, .raw = "x\xFFy", .problem = "why \"so\"", .id = "path", .text = "", .has_id = true});
  EXPECT_FALSE(exists("r"));
  sink->commit();
  EXPECT_EQ(read("r"), "broken \xFF\r\n" + big + "\n" + "{\"id\":\"path\",\"problem\":\"why \\\"so\\\"\",\"text\":\"x\uFFFDy\"}\n");
}

TEST_F(Sinks, LongTextIsRejectedInWholeCharacters) {
  const auto sink = make_reject_sink(path("r"), *source_);
  std::string text = "a";
  for (int i = 0; i < 700'000; ++i) text += "中";
  sink->append({.where = {1, 1}, .raw = text, .problem = "long", .id = "i", .text = "", .has_id = true});
  sink->commit();
  EXPECT_TRUE(read("r") == "{\"id\":\"i\",\"problem\":\"long\",\"text\":\"" + text + "\"}\n");
}

TEST_F(Sinks, IdsOfAnyBytesAreEscaped) {
  const auto sink = make_verdict_sink(path("v"), *source_);
  std::string out;
  sink->format({.where = {0, 1},
                .raw = "",
                .problem = "",
                .id = std::string_view("\0\x01\x1F\b\f\n\r\t\"\\/é\u2028\x7F", 17),
                .text = "",
                .has_id = true},
               kKept, out);
  EXPECT_THAT(out, StartsWith("{\"id\":\"\\u0000\\u0001\\u001f\\b\\f\\n\\r\\t\\\"\\\\/é\u2028\x7F\",")) << out;
}

TEST_F(Sinks, NothingAppearsWithoutCommit) {
  const auto before = listing();
  {
    const auto kept = make_document_sink(path("k.jsonl"), Which::kKept, *source_);
    const auto verdicts = make_verdict_sink(path("v.tsv"), *source_);
    const auto tree = make_directory_sink(path("new/tree"), *source_);
    run(*kept, 0);
    run(*verdicts, 0);
    run(*tree, 0);
  }
  EXPECT_EQ(listing(), before);
  const auto kept = make_document_sink(path("k.jsonl"), Which::kKept, *source_);
  run(*kept, 0);
  kept->commit();
  EXPECT_TRUE(exists("k.jsonl"));
  kept->withdraw();
  EXPECT_EQ(listing(), before);
}

TEST_F(Sinks, DirectoryKeepsNames) {
  write("in/c.jsonl.gz", gzip_bytes("{\"text\":\"z\"}\n"));
  write("in/sub/d.jsonl", "{\"text\":\"removed\"}\n");
  write("in/sub/e.txt", "");
  source_ = open_source({path("in")}, {});
  const auto sink = make_directory_sink(path("out"), *source_);
  run(*sink, 0b010100);  // the text file b.txt and the only line of sub/d.jsonl
  EXPECT_FALSE(exists("out/a.jsonl"));
  sink->commit();
  EXPECT_EQ(read("out/a.jsonl"), read("in/a.jsonl"));
  EXPECT_FALSE(exists("out/b.txt"));
  EXPECT_EQ(gunzip_file(path("out/c.jsonl.gz")), "{\"text\":\"z\"}\n");
  EXPECT_EQ(read("out/sub/d.jsonl"), "");
  EXPECT_EQ(read("out/sub/e.txt"), "");
  sink->withdraw();
  EXPECT_FALSE(exists("out"));
}

TEST_F(Sinks, DirectoryOfOneFileAndOfFoldersWithACommonPart) {
  const auto one = open_source({path("in/a.jsonl")}, {});
  const auto sink = make_directory_sink(path("o1"), *one);
  sink->commit();
  EXPECT_EQ(read("o1/a.jsonl"), "");
  write("p/x/1.jsonl", "");
  write("p/y/1.jsonl", "");
  const auto two = open_source({path("p/x"), path("p/y")}, {});
  make_directory_sink(path("o2/"), *two)->commit();
  EXPECT_TRUE(exists("o2/x/1.jsonl"));
  EXPECT_TRUE(exists("o2/y/1.jsonl"));
}

TEST_F(Sinks, DirectoryLeavesTheReferenceOut) {
  write("ref/r.jsonl", "{\"text\":\"r\"}\n");
  source_ = concatenate(open_source({path("ref")}, {}), open_source({path("in/a.jsonl")}, {}));
  const auto sink = make_directory_sink(path("out"), *source_);
  run(*sink, 0);
  sink->commit();
  EXPECT_EQ(read("out/a.jsonl"), read("in/a.jsonl"));
  EXPECT_FALSE(exists("out/r.jsonl"));
}

TEST_F(Sinks, DirectoryCommitIsAllOrNothing) {
  write("p/1.jsonl", "{\"text\":\"1\"}\n");
  write("p/2.jsonl", "{\"text\":\"2\"}\n");
  source_ = open_source({path("p")}, {});
  const auto sink = make_directory_sink(path("out"), *source_);
  run(*sink, 0);
  std::filesystem::create_directories(path("out/2.jsonl/in the way"));
  EXPECT_THAT(error_of([&] { sink->commit(); }), StartsWith("output: cannot write '" + path("out/2.jsonl") + "'"));
  EXPECT_FALSE(exists("out/1.jsonl"));
}

TEST_F(Sinks, DirectoryRefusesItsInputsAndStandardInput) {
  EXPECT_THAT(error_of([&] { make_directory_sink(path("in"), *source_); }), HasSubstr("is also an input"));
  const auto piped = open_source({"-"}, {});
  EXPECT_THAT(error_of([&] { make_directory_sink(path("out"), *piped); }), StartsWith("output: standard input has no name"));
  EXPECT_FALSE(exists("out"));
}

TEST_F(Sinks, FullDisk) {
  const auto sink = make_document_sink("/dev/full", Which::kKept, *source_);
  sink->append(0, "a line\n");
  EXPECT_EQ(error_of([&] { sink->commit(); }), "output: cannot write '/dev/full': No space left on device (0 bytes written)");
}

TEST_F(Sinks, FileSizeLimitLeavesNothing) {
  rlimit saved{};
  getrlimit(RLIMIT_FSIZE, &saved);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{2u << 20, saved.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto before = listing();
  std::string error;
  {
    const auto sink = make_document_sink(path("k"), Which::kKept, *source_);
    error = error_of([&] { sink->append(0, std::string(5u << 20, 'x')); });
  }
  setrlimit(RLIMIT_FSIZE, &saved);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, "output: cannot write '" + path("k") + "': File too large (2097152 bytes written)");
  EXPECT_EQ(listing(), before);
}

TEST_F(Sinks, PathsThatCannotBe) {
  const auto error = [&](const std::string& name) { return error_of([&] { make_document_sink(name, Which::kKept, *source_); }); };
  EXPECT_EQ(error(path("no/such/k")), "output: cannot write '" + path("no/such/k") + "': No such file or directory");
  EXPECT_EQ(error(path("in")), "output: cannot write '" + path("in") + "': Is a directory");
  EXPECT_EQ(error(path("new/")), "output: cannot write '" + path("new/") + "': Is a directory");
  EXPECT_EQ(error(""), "output: cannot write '': No such file or directory");
}

TEST_F(Sinks, StandardOutput) {
  const int saved = dup(STDOUT_FILENO);
  std::fflush(stdout);
  FILE* file = std::fopen(path("stdout").c_str(), "w");
  dup2(fileno(file), STDOUT_FILENO);
  const auto sink = make_document_sink("-", Which::kKept, *source_);
  sink->append(0, "to standard output\n");
  sink->commit();
  sink->withdraw();
  dup2(saved, STDOUT_FILENO);
  close(saved);
  std::fclose(file);
  EXPECT_EQ(read("stdout"), "to standard output\n");
}

TEST_F(Sinks, OutputsAreChecked) {
  const auto error = [&](const std::vector<std::string>& outputs) { return error_of([&] { check_outputs(outputs, *source_); }); };
  EXPECT_EQ(error({path("k"), path("v"), "-", "/dev/null", "/dev/null"}), "");
  const std::string a = path("in/a.jsonl");
  EXPECT_EQ(error({path("k"), path("in/../in/a.jsonl")}),
            "usage: the output '" + path("in/../in/a.jsonl") + "' is also an input: '" + a + "'");
  ASSERT_EQ(link(a.c_str(), path("hard").c_str()), 0);
  EXPECT_EQ(error({path("hard")}), "usage: the output '" + path("hard") + "' is also an input: '" + a + "'");
  EXPECT_EQ(error({path("k"), path("in/../k")}), "usage: two outputs are the same: '" + path("k") + "' and '" + path("in/../k") + "'");
  EXPECT_EQ(error({"-", "-"}), "usage: two outputs are the same: standard output and standard output");
  ASSERT_EQ(symlink("k", path("soft").c_str()), 0);
  write("k", "");
  EXPECT_THAT(error({path("k"), path("soft")}), HasSubstr("two outputs are the same"));
}

}  // namespace
}  // namespace neardup::testing
