#include "neardup/tools/verdict_file.h"

#include <random>
#include <string>
#include <vector>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::HasSubstr;

class VerdictFiles : public IoTest {
 protected:
  VerdictFiles() {
    write("a.jsonl", "{\"text\":\"x\"}\n");
    write("b \"c\".jsonl", "{\"text\":\"x\"}\n");
    source_ = open_source({path("a.jsonl"), path("b \"c\".jsonl")}, {});
  }

  // Writes the same verdicts with the sink of a run.
  std::string written(const std::string& name, size_t documents) {
    std::mt19937 random(3);
    const auto sink = make_verdict_sink(path(name), *source_);
    lines_.clear();
    for (size_t i = 0; i < documents; ++i) {
      Record record;
      record.where = {.source = static_cast<uint32_t>(i >= documents / 2), .row = i % (documents / 2) + 1};
      const std::string id = ids_[random() % ids_.size()] + std::to_string(i % 7 == 0 ? 0 : i);
      record.has_id = random() % 6 != 0;
      if (record.has_id) record.id = id;
      Verdict verdict;
      verdict.cluster = record.where;
      verdict.cluster_size = 1 + i % 5;
      if (random() % 2 == 0) {
        verdict.decision = Decision::kRemove;
        verdict.reason = Reason::kNearDuplicate;
        verdict.keeper = verdict.cluster = {.source = static_cast<uint32_t>(random() % 2), .row = 1 + random() % 3};
        verdict.keeper_id = "keeper";
        verdict.keeper_has_id = random() % 2 == 0;
        verdict.similarity = 0.75;
      }
      std::string bytes;
      sink->format(record, verdict, bytes);
      sink->append(record.where.source, bytes);
      const std::string source(source_->source_name(record.where.source));
      lines_.push_back(
          {.id = record.has_id ? id : "",
           .has_id = record.has_id,
           .source = source,
           .row = record.where.row,
           .removed = verdict.decision == Decision::kRemove,
           .reason = std::string(to_string(verdict.reason)),
           .keeper_id = {},
           .keeper_has_id = verdict.keeper_has_id,
           .keeper_source = verdict.decision == Decision::kRemove ? std::string(source_->source_name(verdict.keeper.source)) : "",
           .keeper_row = verdict.keeper.row,
           .similarity_millionths = verdict.decision == Decision::kRemove ? 750'000u : 0u,
           .cluster_id = {},
           .cluster_size = verdict.cluster_size});
    }
    sink->commit();
    return path(name);
  }

  const std::vector<std::string> ids_{"doc-", "a\tb ", "quote\" ", "\xE4\xB8\xAD\xE6\x96\x87", "back\\slash", "keeper"};
  std::unique_ptr<DocumentSource> source_;
  std::vector<VerdictLine> lines_;
};

std::string as_cell(std::string text, bool table) {
  if (table) std::ranges::replace(text, '\t', ' ');
  return text;
}

TEST_F(VerdictFiles, FindWhatTheSinkWrote) {
  for (const char* name : {"v.jsonl", "v.tsv", "v.jsonl.gz", "v.tsv.zst"}) {
    SCOPED_TRACE(name);
    const VerdictFile file(written(name, 200));
    EXPECT_EQ(file.is_table(), std::string(name).find(".tsv") != std::string::npos);
    for (const VerdictLine& line : lines_) {
      const auto by_place = file.find_place(line.source, line.row);
      ASSERT_EQ(by_place.size(), 1u);
      EXPECT_EQ(by_place[0].id, as_cell(line.id, file.is_table()));
      EXPECT_EQ(by_place[0].has_id, line.has_id);
      EXPECT_EQ(by_place[0].removed, line.removed);
      EXPECT_EQ(by_place[0].reason, line.reason);
      EXPECT_EQ(by_place[0].cluster_size, line.cluster_size);
      EXPECT_EQ(by_place[0].similarity_millionths, line.similarity_millionths);
      EXPECT_EQ(by_place[0].keeper_source, line.keeper_source);
      EXPECT_EQ(by_place[0].keeper_row, line.removed ? line.keeper_row : 0);
      if (!line.has_id) continue;
      size_t expected = 0;
      for (const VerdictLine& other : lines_)
        expected += other.has_id && as_cell(other.id, file.is_table()) == as_cell(line.id, file.is_table());
      EXPECT_EQ(file.find(line.id, 1000).size(), expected) << line.id;
      EXPECT_EQ(file.find(line.id, 1).size(), 1u);
    }
    for (const uint32_t source : {0u, 1u}) {
      for (const uint64_t row : {uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{4}}) {
        const std::string keeper(source_->source_name(source));
        size_t expected = 0;
        for (const VerdictLine& line : lines_) expected += line.removed && line.keeper_source == keeper && line.keeper_row == row;
        EXPECT_EQ(file.members(keeper, row, 1000).size(), expected);
      }
    }
    EXPECT_TRUE(file.find("keeper", 5).empty()) << "only a keeper's id";
    EXPECT_TRUE(file.find("", 5).empty());
    EXPECT_TRUE(file.find_place("a.jsonl", 1).empty()) << "another path";
  }
}

// The line end between two lines ends the one and begins the other.
TEST_F(VerdictFiles, FindEqualIdsInAdjacentLines) {
  for (const char* name : {"v.jsonl", "v.tsv", "v.tsv.gz"}) {
    SCOPED_TRACE(name);
    const auto sink = make_verdict_sink(path(name), *source_);
    for (uint64_t row = 1; row <= 6; ++row) {
      Record record;
      record.where = {.source = 0, .row = row};
      record.id = row == 1 || row == 5 ? "other" : "same";
      record.has_id = true;
      Verdict verdict;
      verdict.cluster = record.where;
      std::string bytes;
      sink->format(record, verdict, bytes);
      sink->append(0, bytes);
    }
    sink->commit();
    const VerdictFile file(path(name));
    std::vector<uint64_t> rows;
    for (const VerdictLine& line : file.find("same", 10)) rows.push_back(line.row);
    EXPECT_EQ(rows, (std::vector<uint64_t>{2, 3, 4, 6}));
    EXPECT_EQ(file.find("same", 2).size(), 2u);
    EXPECT_EQ(file.find("other", 10).size(), 2u);
  }
}

TEST_F(VerdictFiles, RefuseNumbersOutOfBounds) {
  const auto read_line = [&](std::string_view size, std::string_view similarity) {
    std::string line = R"({"id":"a","source":"s","row":2,"verdict":"remove","reason":"near_duplicate","keeper_id":null,)";
    line += R"("keeper_source":"s","keeper_row":1,"similarity":)" + std::string(similarity) + R"(,"cluster_id":"s:1","cluster_size":)" +
            std::string(size) + "}\n";
    write("v.jsonl", line);
    return error_of([&] { const VerdictFile file(path("v.jsonl")); });
  };
  EXPECT_EQ(read_line("2", "0.9"), "");
  EXPECT_NE(read_line("0", "0.9"), "");
  EXPECT_NE(read_line("2", "1e300"), "");
  EXPECT_NE(read_line("2", "-0.1"), "");
}

TEST_F(VerdictFiles, SuggestIds) {
  for (const char* name : {"v.jsonl", "v.tsv", "v.jsonl.bz2"}) {
    const VerdictFile file(written(name, 200));
    const auto with_id = std::ranges::find_if(lines_, [](const VerdictLine& line) { return line.has_id && line.id.starts_with("quote"); });
    ASSERT_NE(with_id, lines_.end());
    std::string typed = with_id->id;
    typed[1] = 'X';
    EXPECT_THAT(file.nearest(typed, 3), ::testing::Contains(with_id->id)) << name;
  }
}

TEST_F(VerdictFiles, RefuseOtherFiles) {
  const auto refusal = [&](std::string_view content) {
    write("other", content);
    return error_of([&] { const VerdictFile file(path("other")); });
  };
  for (const std::string_view content :
       {"", "{\"id\":\"a\",\"text\":\"b\"}\n", "id\tsource\n", "not a verdict\n", "[]\n", "\x1f\x8b\x08"}) {
    EXPECT_NE(refusal(content), "") << content;
  }
  EXPECT_THAT(refusal("{}\n"), HasSubstr("is not a verdict file"));
  EXPECT_NE(error_of([&] { const VerdictFile file(path("nowhere")); }), "");
  // A broken line matters when it is the one that is asked for.
  std::string lines = read(written("v.jsonl", 20).substr(folder_.size() + 1));
  lines += "{\"id\":\"broken\",\"source\":3\n";
  write("v.jsonl", lines);
  const VerdictFile file(path("v.jsonl"));
  EXPECT_TRUE(file.find("nothing", 1).empty());
  EXPECT_THAT(error_of([&] { (void)file.find("broken", 1); }), HasSubstr("a line that is not a verdict"));
}

}  // namespace
}  // namespace neardup::testing
