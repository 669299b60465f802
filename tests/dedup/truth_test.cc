// pair_texts() against the exact pairs of the developer data: a mixed sample of about 3000 real texts, every pair at 0.5 and above.
// The folder is NEARDUP_SHARED, or `shared` next to the repository; without it the tests are skipped.
#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/texts.h"
#include "support/allowed_skips.h"
#include "support/project_files.h"

namespace neardup {
namespace {

using NamePair = std::pair<std::string, std::string>;  // in the order of their bytes

std::filesystem::path data_folder() {
  return testing::shared_folder() / "data";
}

std::string decompressed(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string packed((std::istreambuf_iterator<char>(file)), {});
  std::string text;
  ZSTD_DStream* const stream = ZSTD_createDStream();
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  size_t rest = 1;
  while (in.pos < in.size) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    rest = ZSTD_decompressStream(stream, &out, &in);
    if (ZSTD_isError(rest) != 0) break;
    text.append(piece.data(), out.pos);
  }
  ZSTD_freeDStream(stream);
  EXPECT_EQ(rest, 0u) << path << " is not whole";
  return text;
}

NamePair named(std::string a, std::string b) {
  return a < b ? NamePair(std::move(a), std::move(b)) : NamePair(std::move(b), std::move(a));
}

class Truth : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto folder = data_folder();
    NEARDUP_NEEDS_SHARED(folder / "smoke.jsonl.zst");
    const std::string lines = decompressed(folder / "smoke.jsonl.zst");
    for (size_t at = 0; at < lines.size();) {
      const size_t end = std::min(lines.find('\n', at), lines.size());
      const boost::json::value record = boost::json::parse(std::string_view(lines).substr(at, end - at));
      ids_.emplace_back(record.at("id").as_string());
      texts_.emplace_back(record.at("text").as_string());
      at = end + 1;
    }
    const std::string pairs = decompressed(folder / "smoke.exact-pairs.tsv.zst");
    for (size_t at = 0; at < pairs.size();) {
      const size_t first = pairs.find('\t', at);
      const size_t second = pairs.find('\t', first + 1);
      const size_t end = std::min(pairs.find('\n', second), pairs.size());
      listed_[named(pairs.substr(at, first - at), pairs.substr(first + 1, second - first - 1))] =
          std::stod(pairs.substr(second + 1, end - second - 1));
      at = end + 1;
    }
    ASSERT_GT(ids_.size(), 2000u);
    ASSERT_GT(listed_.size(), 20000u);
  }

  [[nodiscard]] std::map<NamePair, double> find(Search search, uint32_t millionths) const {
    Options options;
    options.recipe = "chars-5";
    options.search = search;
    options.threshold = Threshold::from_millionths(millionths);
    const std::vector<std::string_view> views(texts_.begin(), texts_.end());
    std::map<NamePair, double> found;
    for (const TextPair& pair : pair_texts(views, options)) found[named(ids_[pair.a], ids_[pair.b])] = pair.similarity;
    return found;
  }

  std::vector<std::string> ids_;  // none of this set has a tab
  std::vector<std::string> texts_;
  std::map<NamePair, double> listed_;
};

TEST_F(Truth, ExactSearchFindsTheListedPairsAndNoOthers) {
  const auto found = find(Search::kExact, 500'000);
  EXPECT_EQ(found.size(), listed_.size());
  for (const auto& [names, similarity] : listed_) {
    const auto at = found.find(names);
    ASSERT_NE(at, found.end()) << names.first << " " << names.second << " " << similarity;
    ASSERT_NEAR(at->second, similarity, 0.50001e-4) << names.first << " " << names.second;  // the file has four digits
  }
}

TEST_F(Truth, LshFindsNearlyAllAndReportsNoneBelow) {
  const auto exact = find(Search::kExact, 800'000);
  const auto found = find(Search::kLsh, 800'000);
  for (const auto& [names, similarity] : found) {
    const auto at = exact.find(names);
    ASSERT_NE(at, exact.end()) << names.first << " " << names.second << " " << similarity;
    ASSERT_EQ(at->second, similarity);
  }
  EXPECT_GE(static_cast<double>(found.size()), 0.995 * static_cast<double>(exact.size()));
}

}  // namespace
}  // namespace neardup
