// Every vector of docs/cleaning.md.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <string>

#include "support/project_files.h"
#include "text/clean/cleaner.h"

namespace neardup {
namespace {

TEST(CleaningPage, VectorsHold) {
#ifndef NEARDUP_HTML_LEXBOR
  GTEST_SKIP() << "this build has no HTML parser";
#endif
  std::ifstream page(testing::project_file("docs/cleaning.md"));
  ASSERT_TRUE(page.is_open());
  Cleaner::Scratch scratch;
  bool inside = false;
  int vectors = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      inside = line == "```json vectors";
      continue;
    }
    if (!inside) continue;
    ++vectors;
    const boost::json::value vector = boost::json::parse(line);
    const auto chain = CleanChain::parse(boost::json::serialize(vector.at("clean")));
    EXPECT_EQ(chain.clean(vector.at("text").as_string(), scratch), std::string_view(vector.at("cleaned").as_string())) << line;
  }
  EXPECT_EQ(vectors, 20);
}

}  // namespace
}  // namespace neardup
