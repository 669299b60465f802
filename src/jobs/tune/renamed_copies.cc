#include "jobs/tune/renamed_copies.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/hash.h"
#include "base/parallel.h"
#include "jobs/tune/sample_pairs.h"
#include "text/tokens/code_tokenizer.h"

namespace neardup {
namespace {

constexpr double kNearRenamed = 0.6;    // under code-5-renamed
constexpr double kNear = 0.5;           // under code-5
constexpr double kSameLiterals = 0.6;   // of numbers and strings: some are changed in copies, too
constexpr size_t kFewLiterals = 5;      // of both texts: what so few have in common may be chance
constexpr size_t kPairsOfBand = 120;    // to look at
constexpr size_t kPairsOfText = 3;      // in a band: else the copies of one program would outvote all others
constexpr size_t kLongCode = 1u << 20;  // bytes of both: longer pairs are not compared
constexpr size_t kShingle = 5;          // tokens, as in code-5

bool is_literal(std::string_view token) noexcept {
  const char first = token.front();
  return (first >= '0' && first <= '9') || first == '"' || first == '\'' || first == '`';
}

struct CodeHashes {
  std::vector<uint64_t> shingles;  // ascending, each once
  std::vector<uint64_t> literals;  // ascending, with repetitions
};

CodeHashes hash_code(const Tokenizer& tokenizer, std::string_view text) {
  CodeHashes hashes;
  TokenBuffer tokens;
  tokenizer.tokenize(text, tokens);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (i + kShingle <= tokens.size()) hashes.shingles.push_back(hash64(tokens.run(i, kShingle)));
    if (is_literal(tokens.token(i))) hashes.literals.push_back(hash64(tokens.token(i)));
  }
  std::ranges::sort(hashes.shingles);
  hashes.shingles.erase(std::ranges::unique(hashes.shingles).begin(), hashes.shingles.end());
  std::ranges::sort(hashes.literals);
  return hashes;
}

// Jaccard similarity of sorted (multi)sets; 0 of two empty ones.
double similarity_of(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  size_t common = 0;
  for (auto at_a = a.begin(), at_b = b.begin(); at_a != a.end() && at_b != b.end();) {
    const bool equal = *at_a == *at_b;
    const bool step_a = *at_a <= *at_b;
    common += equal;
    at_b += *at_b <= *at_a;
    at_a += step_a;
  }
  const size_t all = a.size() + b.size() - common;
  return all == 0 ? 0 : static_cast<double>(common) / static_cast<double>(all);
}

}  // namespace

CodeOverlap compare_code(std::string_view a, std::string_view b) {
  const std::unique_ptr<const Tokenizer> tokenizer = make_code_tokenizer({});
  const CodeHashes of_a = hash_code(*tokenizer, a);
  const CodeHashes of_b = hash_code(*tokenizer, b);
  CodeOverlap overlap;
  overlap.shingles = similarity_of(of_a.shingles, of_b.shingles);
  if (std::max(of_a.literals.size(), of_b.literals.size()) >= kFewLiterals) overlap.literals = similarity_of(of_a.literals, of_b.literals);
  return overlap;
}

TunePairs::RenamedCopies find_renamed_copies(const Options& search, const std::vector<std::string_view>& texts) {
  TunePairs::RenamedCopies found;
  Options options = search;
  options.recipe = "code-5";
  found.near_pairs = static_cast<double>(SamplePairs(options, texts).total());
  options.recipe = "code-5-renamed";
  const SamplePairs renamed(options, texts);

  double weighed = 0;  // pairs that the examined ones stand for
  double copies = 0;
  for (size_t band = SamplePairs::band_of(kNearRenamed); band < SamplePairs::kBands; ++band) {
    std::vector<SamplePair> chosen = renamed.choose(band, kPairsOfBand, kPairsOfText);
    std::erase_if(chosen, [&](const SamplePair& pair) { return texts[pair.a].size() + texts[pair.b].size() > kLongCode; });
    if (chosen.empty()) continue;
    std::vector<CodeOverlap> overlaps(chosen.size());
    parallel_for(resolve_threads(search.threads), chosen.size(), 1,
                 [&](uint32_t, size_t i) { overlaps[i] = compare_code(texts[chosen[i].a], texts[chosen[i].b]); });
    const double weight = static_cast<double>(renamed.band(band).pairs) / static_cast<double>(chosen.size());
    for (const CodeOverlap& overlap : overlaps) {
      if (overlap.shingles >= kNear) continue;
      found.only_renamed += weight;
      if (!overlap.literals) continue;
      ++found.examined;
      weighed += weight;
      if (*overlap.literals < kSameLiterals) continue;
      ++found.copies;
      copies += weight;
    }
  }
  found.same_literals = weighed > 0 ? copies / weighed : 0;
  found.pairs = found.same_literals * found.only_renamed;
  return found;
}

}  // namespace neardup
