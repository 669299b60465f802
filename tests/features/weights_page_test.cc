// The vectors of docs/weights.md. Their values come from tests/cli/test_idf.py, which is written from the page.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "features/frequency_tables.h"
#include "features/idf.h"
#include "features/weighting.h"
#include "support/project_files.h"

namespace neardup {
namespace {

using boost::json::object;

std::string text_of(const boost::json::value& value) {
  return std::string(value.as_string());
}

void check_weigh(const object& vector) {
  std::map<std::string, uint32_t> words;
  uint64_t documents = 0;
  if (vector.contains("table")) {
    const object& table = vector.at("table").as_object();
    documents = table.at("documents").to_number<uint64_t>();
    for (const auto& [word, count] : table.at("frequencies").as_object()) words[word] = count.to_number<uint32_t>();
  }
  const auto table = testing::table_of(words, documents);
  std::vector<std::string> tokens;
  for (const auto& token : vector.at("tokens").as_array()) tokens.push_back(text_of(token));
  std::vector<CountedToken> counted;
  for (const std::string& token : tokens) counted.push_back({token, 1});
  const std::string kind = text_of(vector.at("kind"));
  const Weighter weighter(kind == "none" ? WeightingKind::kNone
                          : kind == "tf" ? WeightingKind::kTf
                                         : WeightingKind::kTfIdf,
                          vector.at("top_k").to_number<uint32_t>(), &table);
  Weighter::Scratch scratch;
  std::vector<WeightedFeature> made;
  weighter.weigh(counted, scratch, made);
  std::vector<WeightedFeature> expected;
  for (const auto& feature : vector.at("features").as_array()) {
    expected.push_back({std::stoull(text_of(feature.at(0)), nullptr, 16), feature.at(1).to_number<int32_t>()});
  }
  EXPECT_EQ(made, expected) << boost::json::serialize(vector);
}

void check_table(const object& vector) {
  const std::string hex = text_of(vector.at("bytes"));
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  const auto table = DocumentFrequencyTable::parse(bytes, "a vector");
  EXPECT_EQ(table.documents(), vector.at("texts").as_array().size());
  if (table.size() > 0) {
    EXPECT_EQ(table.frequency(hash64("rose")), 2u);
    EXPECT_EQ(table.frequency(hash64("a")), 1u);
  }
}

TEST(WeightsPage, Vectors) {
  std::ifstream file(testing::project_file("docs/weights.md"));
  std::map<std::string, int> seen;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(R"({"step": )")) continue;
    const object vector = boost::json::parse(line).as_object();
    const std::string step = text_of(vector.at("step"));
    ++seen[step];
    if (step == "idf") {
      const auto documents = vector.at("documents").to_number<uint64_t>();
      EXPECT_EQ(idf_fixed(documents, vector.at("frequency").to_number<uint64_t>()), vector.at("idf").to_number<int32_t>()) << line;
    } else if (step == "keyword") {
      EXPECT_EQ(fixed_weight(vector.at("weight").to_number<double>()), vector.at("fixed").to_number<int32_t>()) << line;
    } else if (step == "weigh") {
      check_weigh(vector);
    } else if (step == "table") {
      check_table(vector);
    }
  }
  EXPECT_EQ(seen.size(), 4u);
  EXPECT_GE(seen["idf"], 10);
  EXPECT_GE(seen["weigh"], 8);
}

}  // namespace
}  // namespace neardup
