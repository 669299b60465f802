// What folding is for: two editions of the same poems. Optional: without the data it is skipped.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include "neardup/io.h"
#include "support/allowed_skips.h"
#include "support/project_files.h"
#include "text/normalize/han_fold.h"
#include "text/normalize/normalizer.h"

namespace neardup {
namespace {

TEST(HanFoldCorpus, FindsExactCopiesInTwoEditions) {
  const std::filesystem::path path = testing::shared_folder() / "data" / "zh-poetry-tang.jsonl.zst";
  NEARDUP_NEEDS_SHARED(path);
  const auto normalizer = make_normalizer(NormalizerKind::kLower);
  const auto source = open_source({path.string()}, {});
  std::set<std::string> plain;
  std::set<std::string> folded;
  size_t documents = 0;
  RawVector<char> normalized;
  std::string piece;
  std::string out;
  while (const auto batch = source->next()) {
    batch->read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
      ++documents;
      normalizer->normalize(record.text, normalized, piece);
      plain.emplace(view_of(normalized));
      HanFold::traditional_to_simplified().fold(view_of(normalized), out);
      folded.insert(out);
    });
  }
  std::printf("%zu documents, exact copies: %zu as written, %zu folded\n", documents, documents - plain.size(), documents - folded.size());
  EXPECT_GT(documents - folded.size(), (documents - plain.size()) * 3 / 2);
}

}  // namespace
}  // namespace neardup
