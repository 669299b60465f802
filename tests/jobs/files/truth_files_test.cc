#include "neardup/tools/truth_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "neardup/error.h"

namespace neardup {
namespace {

class TruthFiles : public ::testing::Test {
 protected:
  TruthFiles() {
    for (const std::string name : {"a", "b", "c d", "f.jsonl:4"}) {
      table_.add({.where = {0, ++row_}, .name = name, .removed = false, .keeper = {}});
    }
    table_.finish();
  }
  ~TruthFiles() override { std::filesystem::remove(path_); }

  const std::string& file(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_;
  }
  std::string problem_of_pairs(const std::string& bytes) {
    Truth truth(table_);
    try {
      read_truth_pairs(file(bytes), table_, truth);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      return std::string(error.what()).substr(path_.size());
    }
    return {};
  }

  uint64_t row_ = 0;
  DecisionTable table_;
  const std::string path_ = (std::filesystem::temp_directory_path() / ("truth-files-" + std::to_string(::getpid()))).native();
};

TEST_F(TruthFiles, PairsComeAsTablesAndJson) {
  for (const std::string bytes :
       {"id_a\tid_b\tsimilarity\na\tb\t0.9\nf.jsonl:4\tc d\t\nx\ta\t0.5\n", "a\tb\t0.9\nf.jsonl:4\tc d\t\nx\ta\t0.5",
        "\xEF\xBB\xBF"
        "similarity\tid_b\tnote\tid_a\r\n0.9\tb\t-\ta\r\n\r\n\tc d\t-\tf.jsonl:4\r\n0.5\ta\t\tx\r\n",
        "{\"id_a\":\"a\",\"id_b\":\"b\",\"similarity\":0.9}\n{\"id_b\":\"f.jsonl:4\",\"id_a\":\"c\\td\",\"similarity\":null}\n"
        "{\"id_a\":\"x\",\"id_b\":\"a\"}\n"}) {
    Truth truth(table_);
    read_truth_pairs(file(bytes), table_, truth);
    truth.finish();
    ASSERT_EQ(truth.pairs().size(), 2u) << bytes;
    EXPECT_EQ(truth.pairs()[0].a, 0u);
    EXPECT_EQ(truth.pairs()[0].b, 1u);
    EXPECT_EQ(truth.pairs()[0].similarity_millionths, 900'000u);
    EXPECT_EQ(truth.pairs()[1].a, 2u);
    EXPECT_EQ(truth.pairs()[1].similarity_millionths, Truth::kUnknown);
    EXPECT_EQ(truth.unknown_rows(), 1u);
  }
  Truth truth(table_);
  read_truth_pairs(file("a\tb\na\tc d\n"), table_, truth);
  truth.finish();
  EXPECT_EQ(truth.pairs().size(), 2u);
}

TEST_F(TruthFiles, LabelsByIds) {
  Truth truth(table_);
  read_truth_clusters(file("a\t1\nb\t2\nc d\t1\nother\t1\n"), table_, truth);
  truth.finish();
  EXPECT_EQ(truth.labels()[0], truth.labels()[2]);
  EXPECT_NE(truth.labels()[0], truth.labels()[1]);
  EXPECT_EQ(truth.labels()[3], kNoLabel);
  EXPECT_EQ(truth.unknown_rows(), 1u);
  EXPECT_EQ(truth.duplicates(0, 2), true);
  EXPECT_EQ(truth.duplicates(0, 3), std::nullopt);
}

TEST_F(TruthFiles, ProblemsNameTheLine) {
  using ::testing::HasSubstr;
  EXPECT_THAT(problem_of_pairs(""), HasSubstr(": there are no rows"));
  EXPECT_THAT(problem_of_pairs("x\ty\n"), HasSubstr("no row names documents of the corpus; the first names 'x'"));
  EXPECT_THAT(problem_of_pairs("a\tb\t0.9\na\tb\n"), HasSubstr(":2: expected 3 cells"));
  EXPECT_THAT(problem_of_pairs("a\tb\tnan\n"), HasSubstr(":1: similarity: expected a number from 0 to 1, not 'nan'"));
  EXPECT_THAT(problem_of_pairs("a\tb\t1.01\n"), HasSubstr(":1: similarity"));
  EXPECT_THAT(problem_of_pairs("just text\n"), HasSubstr(":1: expected a table with the columns id_a, id_b, similarity"));
  EXPECT_THAT(problem_of_pairs("id_a\tother\n"), HasSubstr(":1: the header has no column 'id_b'"));
  EXPECT_THAT(problem_of_pairs("{\"id_a\":\"a\"}\n"), HasSubstr(":1: id_b is missing"));
  EXPECT_THAT(problem_of_pairs("{\"id_a\":\n"), HasSubstr(":1: invalid JSON"));
  EXPECT_THAT(problem_of_pairs("a\t" + std::string(2u << 20, 'x') + "\n"), HasSubstr(":1: longer than"));
}

TEST_F(TruthFiles, VerdictsOfBothFormats) {
  const std::string table =
      "id\tsource\trow\tverdict\treason\tkeeper_id\tkeeper_source\tkeeper_row\tsimilarity\tcluster_id\tcluster_size\n"
      "p\tf\t1\tremove\tnear_duplicate\t\tg\t1\t0.912345\tg:1\t2\n"
      "\tg\t1\tkeep\tkeeper\t\t\t\t\tg:1\t2\n";
  const std::string lines =
      R"({"id":"p","source":"f","row":1,"verdict":"remove","reason":"near_duplicate","keeper_id":null,"keeper_source":"g","keeper_row":1,)"
      R"("similarity":0.912345,"cluster_id":"g:1","cluster_size":2})"
      "\n"
      R"({"id":null,"source":"g","row":1,"verdict":"keep","reason":"keeper","keeper_id":null,"keeper_source":null,"keeper_row":null,)"
      R"("similarity":null,"cluster_id":"g:1","cluster_size":2})"
      "\n";
  for (const std::string& bytes : {table, lines}) {
    EXPECT_TRUE(is_verdict_file(file(bytes)));
    DecisionTable decisions;
    read_verdicts(path_, decisions);
    ASSERT_EQ(decisions.size(), 2u);
    EXPECT_EQ(decisions.keeper(0), 1u);
    EXPECT_EQ(decisions.similarity_millionths(0), 912'345u);
    EXPECT_EQ(decisions.find("p"), 0u);
    EXPECT_EQ(decisions.find("g:1"), 1u);
  }
  EXPECT_FALSE(is_verdict_file(file("{\"id\":\"p\",\"text\":\"a\"}\n")));
  EXPECT_FALSE(is_verdict_file(file("a\tb\n")));
  EXPECT_FALSE(is_verdict_file(file("")));
}

TEST_F(TruthFiles, AnyBytesGiveATruthOrAnError) {
  std::mt19937_64 random(6);
  const std::string pieces[] = {"id_a",
                                "id_b",
                                "\t",
                                "\n",
                                "{",
                                "\"",
                                "a",
                                "b",
                                "0.5",
                                "\r",
                                std::string(1, '\0'),
                                "\xff",
                                "keep",
                                "remove",
                                "id\tsource\trow\tverdict\treason\t"};
  for (int round = 0; round < 300; ++round) {
    std::string bytes;
    for (uint64_t i = random() % 20; i > 0; --i) bytes += pieces[random() % std::size(pieces)];
    problem_of_pairs(bytes);
    is_verdict_file(path_);
    try {
      DecisionTable decisions;
      read_verdicts(path_, decisions);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
    }
  }
}

}  // namespace
}  // namespace neardup
