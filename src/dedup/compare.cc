#include "neardup/compare.h"

#include <cmath>
#include <span>

#include "dedup/passages.h"
#include "features/feature_set.h"
#include "features/shingles.h"
#include "sketch/minhash.h"

namespace neardup {
namespace {

// One text with all that comparing needs of it.
struct Prepared {
  Comparison::Side side;
  ExactHash exact;
  std::vector<uint32_t> signature;
  RawVector<uint64_t> shingles;  // in text order
  RawVector<uint64_t> features;
  TokenBuffer tokens;
};

Prepared prepare(const Sketcher& sketcher, std::string_view text) {
  Prepared prepared;
  Sketcher::Scratch scratch;
  prepared.signature.resize(sketcher.recipe().lanes);
  const Sketcher::Result result = sketcher.sketch(text, scratch, prepared.signature);
  prepared.exact = result.exact;
  prepared.tokens = std::move(scratch.tokens);
  hash_shingles(prepared.tokens, sketcher.recipe().shingle_size, sketcher.recipe().short_text, prepared.shingles);
  prepared.features = prepared.shingles;
  make_feature_set(prepared.features, scratch.sort_space);
  prepared.side = {.bytes = text.size(),
                   .tokens = prepared.tokens.size(),
                   .shingles = prepared.shingles.size(),
                   .features = static_cast<uint32_t>(prepared.features.size()),
                   .too_short = result.too_short};
  return prepared;
}

SharedPassage describe(const Sketcher& sketcher, const Prepared& a, const Passage& passage) {
  const size_t first = passage.begin;
  const size_t last = std::min(passage.begin + passage.shingles + sketcher.recipe().shingle_size - 2, a.tokens.size() - 1);
  Sketcher::Scratch scratch;
  // Tokens are joined by blanks that Chinese does not write; normalizing takes them out again.
  const size_t tokens = last - first + 1;
  return {.text = std::string(sketcher.normalize(a.tokens.run(first, tokens), scratch)), .tokens = tokens};
}

}  // namespace

double Comparison::containment_of_a() const noexcept {
  return a.features == 0 ? 1 : static_cast<double>(overlap.common) / a.features;
}
double Comparison::containment_of_b() const noexcept {
  return b.features == 0 ? 1 : static_cast<double>(overlap.common) / b.features;
}
double Comparison::cosine() const noexcept {
  if (a.features == 0 || b.features == 0) return a.features == b.features ? 1 : 0;
  return overlap.common / std::sqrt(static_cast<double>(a.features) * static_cast<double>(b.features));
}

Comparison compare_texts(const Sketcher& sketcher, std::string_view text_a, std::string_view text_b, size_t max_passages) {
  const Prepared a = prepare(sketcher, text_a);
  const Prepared b = prepare(sketcher, text_b);
  Comparison result;
  result.a = a.side;
  result.b = b.side;
  result.exact_copy = a.exact == b.exact;
  result.overlap = {.common = count_common(a.features, b.features), .size_a = a.side.features, .size_b = b.side.features};
  result.lanes = sketcher.recipe().lanes;
  if (result.measurable()) {
    result.equal_lanes = equal_lanes(a.signature, b.signature);
    result.estimate = static_cast<double>(result.equal_lanes) / result.lanes;
    const Interval interval = wilson_95(result.equal_lanes, result.lanes);
    result.estimate_low = interval.low;
    result.estimate_high = interval.high;
  }
  result.passages_skipped = std::max(a.shingles.size(), b.shingles.size()) > kMaxPassageShingles;
  if (!result.passages_skipped && result.overlap.common > 0) {
    for (const Passage& passage : longest_common_passages(a.shingles, b.shingles, max_passages)) {
      result.passages.push_back(describe(sketcher, a, passage));
    }
  }
  return result;
}

}  // namespace neardup
