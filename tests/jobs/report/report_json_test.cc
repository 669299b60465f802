#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "neardup/dedup.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/run_record.h"
#include "neardup/tools/run_report.h"
#include "support/corpus.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

struct SeenVerdict {
  DocumentId where;
  std::string text;
  bool removed;
  Reason reason;
  DocumentId keeper;
  double similarity;
};

// Collects the verdicts of a run: what the report is checked against.
class VerdictCollector final : public Sink {
 public:
  [[nodiscard]] bool needs_parsed() const noexcept override { return true; }
  void format(const Record& record, const Verdict& verdict, std::string&) const override {
    seen.push_back({record.where, std::string(record.text), verdict.decision == Decision::kRemove, verdict.reason, verdict.keeper,
                    verdict.similarity});
  }
  void append(uint32_t, std::string_view) override {}
  void commit() override {}
  void withdraw() noexcept override {}

  mutable std::vector<SeenVerdict> seen;  // the run has one thread
};

class RunReportTest : public ::testing::Test {
 protected:
  RunReportTest() : folder_(fs::temp_directory_path() / fmt::format("neardup-report-{}", ::getpid())) {
    fs::create_directories(folder_ / "record");
  }
  ~RunReportTest() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::vector<std::string>& texts) {
    std::ofstream file(folder_ / name);
    for (size_t i = 0; i < texts.size(); ++i) {
      file << json::serialize(json::object{{"id", fmt::format("{}-{}", name, i)}, {"text", texts[i]}}) << '\n';
    }
    return (folder_ / name).string();
  }

  // Runs over the files; the first `references` of them are the reference corpus.
  json::object report(const std::vector<std::string>& files, uint32_t references = 0) {
    options.threads = 1;
    SourceOptions reading;
    reading.batch_bytes = 2000;  // several batches a file
    source = open_source(files, reading);
    VerdictCollector collector;
    DedupRun run;
    run.source = source.get();
    run.reference_sources = references;
    run.record_directory = (folder_ / "record").string();
    run.sinks = {&collector};
    summary = dedup(options, run);
    verdicts = std::move(collector.seen);
    record = RunRecord::open(run.record_directory);
    ReportRun job;
    job.record = record.get();
    job.options = options;
    job.command = {"neardup", "dedup"};
    job.version = "1.2.3";
    job.read_texts = [&](auto wanted, const auto& visit) { read_places(*source, wanted, visit); };
    text = report_json(job);
    EXPECT_EQ(report_json(job), text);
    return json::parse(text).as_object();
  }

  uint64_t count(const auto& matches) const { return static_cast<uint64_t>(std::ranges::count_if(verdicts, matches)); }

  // Every number that a second, slow way of counting gives, too.
  void check(const json::object& made) {
    uint64_t documents = 0;
    for (const json::value& value : made.at("sources").as_array()) {
      const json::object& row = value.as_object();
      const auto of_source = [&](const DocumentId& where) { return source->source_name(where.source) == row.at("name").as_string(); };
      EXPECT_EQ(row.at("kept").to_number<uint64_t>(), count([&](const auto& v) { return !v.removed && of_source(v.where); }));
      EXPECT_EQ(row.at("exact").to_number<uint64_t>(),
                count([&](const auto& v) { return v.reason == Reason::kExactCopy && of_source(v.where); }));
      EXPECT_EQ(row.at("wins").to_number<uint64_t>(), count([&](const auto& v) { return v.removed && of_source(v.keeper); }));
      if (!row.at("documents").is_null()) documents += row.at("documents").to_number<uint64_t>();
    }
    EXPECT_EQ(documents, verdicts.size());
    uint64_t losses = 0;
    for (const json::value& loss : made.at("losses").as_array()) losses += loss.at(2).to_number<uint64_t>();
    EXPECT_EQ(losses, summary.removed);
    uint64_t near = 0;
    for (const json::value& bin : made.at("histogram").at("bins").as_array()) near += bin.at(1).to_number<uint64_t>();
    EXPECT_EQ(near, summary.removed - summary.exact_copies);

    std::map<DocumentId, uint64_t> clusters;
    for (const auto& v : verdicts) {
      if (v.removed) ++clusters[v.keeper];
    }
    std::map<uint64_t, uint64_t> sizes;
    for (const auto& [keeper, removed] : clusters) ++sizes[removed + 1];
    json::array expected;
    for (const auto& [size, number] : sizes) expected.push_back(json::array{size, number});
    EXPECT_EQ(json::serialize(made.at("cluster_sizes")), json::serialize(expected));
    if (!sizes.empty()) {
      EXPECT_EQ(made.at("clusters").at(0).at("size").to_number<uint64_t>(), sizes.rbegin()->first);
    }
    check_parts(made);
  }

  const std::string& text_at(const json::object& document) const {
    for (const auto& v : verdicts) {
      if (v.where.row == document.at("row").to_number<uint64_t>() &&
          source->source_name(v.where.source) == document.at("source").as_string()) {
        return v.text;
      }
    }
    static const std::string none;
    return none;
  }

  // Without gaps, the parts are the two texts.
  void check_parts(const json::object& made) const {
    for (const json::value& pair : made.at("least_similar").as_array()) {
      std::string removed;
      bool gap = false;
      for (const json::value& part : pair.at("parts").as_array()) {
        const std::string_view sign = part.at(0).as_string();
        gap |= sign == "~";
        if (sign == "=" || sign == "-") removed += std::string_view(part.at(1).as_string());
      }
      if (!gap) {
        EXPECT_EQ(removed, text_at(pair.at("removed").as_object()));
      }
    }
  }

  Options options;
  std::unique_ptr<DocumentSource> source;
  std::unique_ptr<const RunRecord> record;
  Summary summary;
  std::vector<SeenVerdict> verdicts;
  std::string text;

 private:
  const fs::path folder_;
};

std::vector<std::string> texts(uint64_t seed, size_t boilerplate = 0) {
  return testing::make_corpus(seed, {.originals = 40, .max_copies = 4, .edit_rate = 0.02, .boilerplate = boilerplate});
}

TEST_F(RunReportTest, CountsWhatTheRunDid) {
  const json::object made = report({write("a.jsonl", texts(1)), write("b.jsonl", texts(2)), write("c.jsonl", texts(1))});
  check(made);
  EXPECT_GT(summary.near_duplicates, 10u);
  EXPECT_EQ(made.at("version"), "1.2.3");
  EXPECT_EQ(json::serialize(made.at("summary")), json::serialize(json::parse(summary.to_json())));
  EXPECT_EQ(made.at("search").at("curve").as_array().size(), 101u);
  EXPECT_EQ(made.at("search").at("missed").at("of").to_number<uint64_t>(), summary.near_duplicates);
  EXPECT_EQ(made.at("run").at("measure"), "jaccard");
  EXPECT_EQ(text.find('\n'), std::string::npos);
  // The three that the summary names are among the twenty.
  for (size_t i = 0; i < summary.least_similar.size(); ++i) {
    EXPECT_EQ(made.at("least_similar").at(i).at("removed").at("id").as_string(), summary.least_similar[i].removed.id);
  }
}

TEST_F(RunReportTest, TellsWhatBoilerplateDoes) {
  const json::object made = report({write("a.jsonl", texts(3, 80))});
  check(made);
  const json::value& passage = made.at("passages").at(0);
  EXPECT_EQ(passage.at("sampled"), made.at("passage_sample").at("documents"));
  EXPECT_GT(passage.at("documents").to_number<uint64_t>(), passage.at("sampled").to_number<uint64_t>() * 4 / 10);  // edits hit it, too
  EXPECT_GT(passage.at("removals").to_number<uint64_t>(), 0u);
  EXPECT_GT(passage.at("without").to_number<uint64_t>(), 0u);
}

TEST_F(RunReportTest, KnowsOtherMeasures) {
  const std::vector<std::string> files{write("a.jsonl", texts(4)), write("b.jsonl", texts(4))};
  options.recipe = "simhash-words-3";
  options.max_distance = 6;
  json::object made = report(files);
  check(made);
  EXPECT_EQ(made.at("histogram").at("unit"), "distance");
  EXPECT_EQ(made.at("histogram").at("bins").as_array().size(), 7u);
  EXPECT_EQ(made.at("run").at("bits"), 64);
  EXPECT_TRUE(made.at("search").at("missed").is_null());

  options = {};
  options.measure = Measure::kContainment;
  made = report(files);
  check(made);
  EXPECT_EQ(made.at("run").at("measure"), "containment");

  options = {};
  options.verify = Verify::kFalse;
  made = report(files);
  check(made);
  EXPECT_EQ(made.at("run").at("measure"), "none");
  EXPECT_TRUE(made.at("search").at("missed").is_null());

  options = {};
  options.cluster = Cluster::kComponents;
  check(report(files));

  options = {};
  options.search = Search::kExact;
  made = report(files);
  check(made);
  EXPECT_EQ(made.at("search").at("kind"), "exact");
  EXPECT_TRUE(made.at("search").at("curve").as_array().empty());
}

TEST_F(RunReportTest, NamesWinnersOfTheReferenceCorpus) {
  const json::object made = report({write("old.jsonl", texts(5)), write("new.jsonl", texts(5))}, 1);
  check(made);
  EXPECT_TRUE(made.at("sources").at(0).at("documents").is_null());
  EXPECT_EQ(json::serialize(made.at("losses")), fmt::format("[[1,0,{}]]", summary.removed));
}

TEST_F(RunReportTest, ReportsRunsWithoutDuplicatesOrDocuments) {
  json::object made = report({write("a.jsonl", {"one text that nothing else resembles", "and another one of quite different words"})});
  check(made);
  EXPECT_TRUE(made.at("least_similar").as_array().empty());
  EXPECT_TRUE(made.at("clusters").as_array().empty());
  made = report({write("b.jsonl", {})});
  check(made);
  EXPECT_TRUE(made.at("sources").as_array().empty());
}

TEST_F(RunReportTest, SaysWhichTextsAreMissing) {
  report({write("a.jsonl", texts(6)), write("b.jsonl", texts(7))});
  ReportRun job;
  job.record = record.get();
  job.options = options;
  job.read_texts = [&](auto wanted, const auto& visit) {
    if (wanted.back().source == 1) throw Error(ErrorCode::kInput, "it changed");
    read_places(*source, wanted, visit);
  };
  const json::object made = json::parse(report_json(job)).as_object();
  const std::string warnings = json::serialize(made.at("warnings"));
  EXPECT_NE(warnings.find("b.jsonl' cannot be shown: it changed"), std::string::npos) << warnings;
  EXPECT_EQ(warnings.find("a.jsonl'"), std::string::npos) << warnings;
  size_t missing = 0;
  for (const json::value& pair : made.at("least_similar").as_array()) {
    const bool readable = pair.at("removed").at("source").as_string().ends_with("a.jsonl");
    EXPECT_EQ(pair.at("parts").is_null(), !readable);
    missing += !readable;
  }
  EXPECT_GT(missing, 0u);

  job.read_texts = {};
  EXPECT_TRUE(json::parse(report_json(job)).at("passages").as_array().empty());
  job.read_texts = [](auto, const auto&) { throw Error(ErrorCode::kResource, "no memory"); };
  EXPECT_THROW(report_json(job), Error);
}

}  // namespace
}  // namespace neardup
