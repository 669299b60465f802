#include "neardup/tools/generate.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/generate/random.h"
#include "neardup/error.h"
#include "neardup/texts.h"

namespace neardup {
namespace {

class KeptPieces final : public PieceSink {
 public:
  void append(const DocumentId&, std::string_view piece) override { bytes += piece; }
  void commit() override { committed = true; }
  void withdraw() noexcept override {}
  std::string bytes;
  bool committed = false;
};

class KeptPairs final : public PairSink {
 public:
  void append(const End& a, const End& b, double similarity) override { pairs.emplace_back(a.id, b.id, similarity); }
  void commit() override {}
  void withdraw() noexcept override {}
  std::vector<std::tuple<std::string, std::string, double>> pairs;
};

std::vector<std::string> sample_texts(size_t count) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    generate_detail::Random random(i);
    std::string text;
    for (int word = 0; word < 60; ++word) {
      for (int k = 0; k < 5; ++k) text += static_cast<char>('a' + random.below(26));
      text += word % 9 == 8 ? ". " : " ";
    }
    texts.push_back(text);
  }
  return texts;
}

struct Made {
  GenerateSummary summary;
  std::string lines;
  std::vector<std::tuple<std::string, std::string, double>> pairs;
};

Made make(const std::vector<std::string>& texts, GenerateRun run, uint32_t threads = 1) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto source = make_text_source(views);
  KeptPieces documents;
  KeptPairs truth;
  run.source = source.get();
  run.documents = &documents;
  run.truth = &truth;
  Options options;
  options.threads = threads;
  Made made{generate(options, run), {}, {}};
  EXPECT_TRUE(documents.committed);
  made.lines = std::move(documents.bytes);
  made.pairs = std::move(truth.pairs);
  const GenerateSummary& s = made.summary;
  EXPECT_EQ(s.read.read, s.read.rejected + s.short_texts + s.same_texts + s.not_sampled + s.similar + s.originals);
  return made;
}

std::vector<boost::json::object> records_of(const std::string& lines) {
  std::vector<boost::json::object> records;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) records.push_back(boost::json::parse(line).as_object());
  return records;
}

std::string problem_of(const std::vector<std::string>& texts, const GenerateRun& run) {
  try {
    make(texts, run);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Generate, LabelsEveryCopy) {
  GenerateRun run;
  run.copies = 30;
  const Made made = make(sample_texts(20), run);
  std::map<std::string, std::vector<std::string>> clusters;
  std::set<std::string> ids;
  std::map<std::string, std::string> texts;
  for (const boost::json::object& record : records_of(made.lines)) {
    const std::string id(record.at("id").as_string());
    EXPECT_TRUE(ids.insert(id).second) << id;
    clusters[std::string(record.at("cluster").as_string())].push_back(id);
    const std::string kind(record.at("kind").as_string());
    if (kind == "original") {
      EXPECT_TRUE(record.at("of").is_null());
      texts[id] = record.at("text").as_string();
      continue;
    }
    const std::string of(record.at("of").as_string());
    EXPECT_TRUE(id.starts_with(of + "~" + kind));
    EXPECT_NE(texts.at(of), record.at("text").as_string());
    const bool negative = kind == "template" || kind == "quote";
    EXPECT_EQ(record.at("duplicate").as_bool(), !negative);
    EXPECT_EQ(record.at("cluster").as_string(), negative ? id : of);
    EXPECT_GT(record.at("changed").as_int64(), 0);
  }
  EXPECT_EQ(made.summary.originals, 20u);
  EXPECT_EQ(ids.size(), made.summary.originals + made.summary.copies);

  // The pairs are those of the clusters.
  std::set<std::pair<std::string, std::string>> expected;
  for (const auto& [cluster, members] : clusters) {
    for (size_t a = 0; a < members.size(); ++a) {
      for (size_t b = a + 1; b < members.size(); ++b) expected.emplace(members[a], members[b]);
    }
  }
  std::set<std::pair<std::string, std::string>> found;
  for (const auto& [a, b, similarity] : made.pairs) {
    found.emplace(a, b);
    EXPECT_GE(similarity, 0.0);
    EXPECT_LE(similarity, 1.0);
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(made.summary.pairs, expected.size());
}

TEST(Generate, KindsTakeTurns) {
  GenerateRun run;
  run.kinds = {"delete", "suffix"};
  run.strengths = {EditStrength::parse("1"), EditStrength::parse("10%")};
  const Made made = make(sample_texts(40), run);
  ASSERT_EQ(made.summary.kinds.size(), 4u);
  for (const GenerateSummary::Kind& kind : made.summary.kinds) EXPECT_EQ(kind.copies, 10u) << kind.kind << kind.strength;
  EXPECT_GT(made.summary.kinds[0].mean_similarity, made.summary.kinds[1].mean_similarity);
}

TEST(Generate, IsTheSameForAnyThreadsAndOtherKinds) {
  GenerateRun run;
  run.copies = 5;
  const std::vector<std::string> texts = sample_texts(300);
  const Made one = make(texts, run);
  EXPECT_EQ(make(texts, run, 4).lines, one.lines);
  run.seed = 2;
  EXPECT_NE(make(texts, run).lines, one.lines);

  // A copy does not depend on the other kinds that are asked for.
  GenerateRun all;
  all.copies = 0;
  GenerateRun few = all;
  few.kinds = {"ocr"};
  few.copies = 3;
  std::set<std::string> lines;
  std::istringstream stream(make(texts, all).lines);
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  std::istringstream wanted(make(texts, few).lines);
  for (std::string line; std::getline(wanted, line);) EXPECT_TRUE(lines.contains(line)) << line;
}

TEST(Generate, LeavesOutWhatTheLabelsWouldNotKnow) {
  std::vector<std::string> texts = sample_texts(10);
  texts.push_back(texts[3]);                // a copy
  texts.push_back(texts[4] + " one more");  // a near-duplicate
  texts.emplace_back("too short");
  const Made made = make(texts, {});
  EXPECT_EQ(made.summary.same_texts, 1u);
  EXPECT_EQ(made.summary.similar, 1u);
  EXPECT_EQ(made.summary.short_texts, 1u);
  EXPECT_EQ(made.summary.originals, 10u);
  GenerateRun few;
  few.max_documents = 4;
  EXPECT_EQ(make(sample_texts(10), few).summary.originals, 4u);
}

TEST(Generate, NamesWhatIsWrong) {
  const std::vector<std::string> texts = sample_texts(3);
  GenerateRun run;
  run.kinds = {"typos"};
  EXPECT_NE(problem_of(texts, run).find("not 'typos'"), std::string::npos);
  run = {};
  run.copies = 37;
  EXPECT_EQ(problem_of(texts, run), "copies: expected 0 to 36, one for each kind and strength, not 37");
  run = {};
  EXPECT_EQ(problem_of({texts[0]}, run), "generate requires at least 2 different documents of at least 20 words, the input has 1");
  EXPECT_EQ(problem_of({}, run), "generate requires at least 2 different documents of at least 20 words, the input has 0");
}

TEST(EditStrength, CountsUnits) {
  EXPECT_EQ(EditStrength::parse("5%").of(100), 5u);
  EXPECT_EQ(EditStrength::parse("5%").of(109), 5u);
  EXPECT_EQ(EditStrength::parse("5%").of(110), 6u) << "to the nearest";
  EXPECT_EQ(EditStrength::parse("0.01%").of(100), 1u) << "at least one";
  EXPECT_EQ(EditStrength::parse("0.5%").of(1000), 5u);
  EXPECT_EQ(EditStrength::parse("100%").of(7), 7u);
  EXPECT_EQ(EditStrength::parse("3").of(100), 3u);
  EXPECT_EQ(EditStrength::parse("3").label(), "3");
  EXPECT_EQ(EditStrength::parse("10000").of(100), 10'000u);
  EXPECT_THROW(EditStrength::parse("10001"), Error) << "copies are held in memory";
  for (const char* bad : {"", "0", "0%", "101%", "-1", "5 %", "1.5", "%", "1.%", ".5%", "0.00001%", "1000001", "x"})
    EXPECT_THROW(EditStrength::parse(bad), Error) << bad;
}

}  // namespace
}  // namespace neardup
