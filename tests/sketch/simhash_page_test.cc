// Every vector of docs/simhash.md.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "sketch/python_simhash.h"
#include "sketch/simhash.h"
#include "support/project_files.h"

namespace neardup {
namespace {

std::string_view view_of(const boost::json::value& value) {
  return value.as_string();
}

std::optional<Fingerprint128> fingerprint_of(const boost::json::object& vector) {
  const std::string_view step = view_of(vector.at("step"));
  if (step == "python_text") return python_simhash_text(view_of(vector.at("text")));
  if (step == "simhash") {
    std::vector<WeightedFeature> features;
    for (const auto& each : vector.at("features").as_array()) {
      features.push_back({fingerprint64_from_hex(view_of(each.at(0))).value().low, each.at(1).to_number<int32_t>()});
    }
    return simhash128(features);
  }
  if (step == "python_tokens") {
    std::vector<std::string_view> tokens;
    for (const auto& each : vector.at("tokens").as_array()) tokens.push_back(view_of(each));
    return python_simhash_tokens(tokens);
  }
  EXPECT_EQ(step, "python_weighted");
  std::vector<PythonToken> tokens;
  for (const auto& each : vector.at("tokens").as_array()) {
    tokens.push_back({view_of(each.at(0)), {}});
    if (each.at(1).is_double()) {
      tokens.back().weight = each.at(1).as_double();
    } else {
      tokens.back().weight = each.at(1).to_number<int64_t>();
    }
  }
  return python_simhash_weighted(tokens);
}

TEST(SimhashPage, EveryVector) {
  std::ifstream page(testing::project_file("docs/simhash.md"));
  ASSERT_TRUE(page);
  std::map<std::string, int> checked;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      inside = line == "```json vectors";
      continue;
    }
    if (!inside) continue;
    const auto vector = boost::json::parse(line).as_object();
    const auto made = fingerprint_of(vector);
    const auto& expected = vector.at("simhash128");
    EXPECT_EQ(made ? to_hex(*made) : "null", expected.is_null() ? "null" : view_of(expected)) << line;
    ++checked[std::string(view_of(vector.at("step")))];
  }
  for (const char* step : {"simhash", "python_text", "python_tokens", "python_weighted"}) EXPECT_GE(checked[step], 5) << step;
}

}  // namespace
}  // namespace neardup
