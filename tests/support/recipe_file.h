// Custom recipes of a test, as files that are removed with the object.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace neardup::testing {

class RecipeFile {
 public:
  explicit RecipeFile(const std::string& json) {
    static int count = 0;
    path_ = ::testing::TempDir() + "neardup_recipe_" + std::to_string(::getpid()) + "_" + std::to_string(count++) + ".json";
    std::ofstream(path_) << json;
  }
  ~RecipeFile() { std::remove(path_.c_str()); }
  RecipeFile(const RecipeFile&) = delete;
  RecipeFile& operator=(const RecipeFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// words_v1, simhash_v1. `more` are members that end with a comma, `size` is of a shingle.
inline std::string simhash_words_json(int bits, const std::string& more, int size = 1) {
  return R"({"normalizer":"nfkc_casefold_v1","tokenizer":"words_v1",)" + more + R"("shingle":{"size":)" + std::to_string(size) +
         R"(,"short_text":"none"},"min_features":2,"feature_hash":"xxh3_64_v1","sketch":{"kind":"simhash_v1","bits":)" +
         std::to_string(bits) + "}}";
}

}  // namespace neardup::testing
