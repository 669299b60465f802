// Real text: every document of the shared sample, fast against slow. Optional: without the data it is skipped.
#include <gtest/gtest.h>
#include <simdjson.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/allowed_skips.h"
#include "support/project_files.h"
#include "text/normalize/normalizer.h"
#include "text/normalize/normalizer_reference.h"
#include "text/tokens/tokenizer.h"
#include "text/tokens/tokenizer_reference.h"

namespace neardup {
namespace {

std::filesystem::path sample_path() {
  return testing::shared_folder() / "data" / "smoke.jsonl.zst";
}

// Empty if the file cannot be read or is not a zstd frame of known size.
std::string decompressed(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::string text;
  std::string chunk(ZSTD_DStreamOutSize(), '\0');
  ZSTD_DStream* stream = ZSTD_createDStream();
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  while (in.pos < in.size) {
    ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
    if (ZSTD_isError(ZSTD_decompressStream(stream, &out, &in)) != 0) break;
    text.append(chunk, 0, out.pos);
  }
  ZSTD_freeDStream(stream);
  return text;
}

TEST(NormalizerCorpus, fast_is_slow_on_the_sample) {
  const std::filesystem::path path = sample_path();
  NEARDUP_NEEDS_SHARED(path);
  simdjson::padded_string lines(decompressed(path));
  simdjson::dom::parser parser;
  simdjson::dom::document_stream documents;
  ASSERT_EQ(parser.parse_many(lines).get(documents), simdjson::SUCCESS);
  size_t count = 0;
  for (const auto document : documents) {
    std::string_view text;
    ASSERT_EQ(document["text"].get(text), simdjson::SUCCESS);
    ++count;
    for (const NormalizerKind kind : {NormalizerKind::kCasefold, NormalizerKind::kLower}) {
      RawVector<char> fast;
      RawVector<char> slow;
      std::string piece;
      make_normalizer(kind)->normalize(text, fast, piece);
      make_reference_normalizer(kind)->normalize(text, slow, piece);
      ASSERT_EQ(view_of(fast), view_of(slow)) << "document " << count;
      for (const TokenizerKind tokenizer : {TokenizerKind::kWords, TokenizerKind::kChars}) {
        TokenBuffer a;
        TokenBuffer b;
        make_tokenizer(tokenizer)->tokenize(view_of(fast), a);
        make_reference_tokenizer(tokenizer)->tokenize(view_of(fast), b);
        ASSERT_TRUE(a.joined == b.joined && a.starts == b.starts) << "document " << count;
      }
    }
  }
  EXPECT_GT(count, 0u);
}

}  // namespace
}  // namespace neardup
