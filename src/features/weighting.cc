#include "features/weighting.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/hash.h"

namespace neardup {
namespace {

int32_t saturated(uint64_t weight) noexcept {
  return static_cast<int32_t>(std::min<uint64_t>(weight, kMaxWeight));
}

bool by_hash(const WeightedFeature& a, const WeightedFeature& b) noexcept {
  return a.hash < b.hash;
}

// Hashes are uniform: one scatter by their first bits leaves a handful in each bucket. Right for any values.
void sort_by_hash(std::vector<WeightedFeature>& features, Weighter::Scratch& scratch) {
  constexpr size_t kSmallText = 64;
  constexpr int kMaxBits = 12;  // the counts stay in the first-level cache
  if (features.size() <= kSmallText) {
    std::sort(features.begin(), features.end(), by_hash);
    return;
  }
  const int bits = std::min(static_cast<int>(std::bit_width(features.size())), kMaxBits);
  const int shift = 64 - bits;
  auto& ends = scratch.bucket_ends;
  ends.assign(size_t{1} << bits, 0);
  for (const WeightedFeature& feature : features) ++ends[feature.hash >> shift];
  uint32_t begin = 0;
  for (uint32_t& end : ends) begin += std::exchange(end, begin);
  auto& sorted = scratch.sort_space;
  sorted.resize(features.size());
  for (const WeightedFeature& feature : features) sorted[ends[feature.hash >> shift]++] = feature;
  auto at = sorted.begin();
  for (const uint32_t end : ends) {
    const auto stop = sorted.begin() + end;
    if (stop - at > 1) std::sort(at, stop, by_hash);
    at = stop;
  }
  features.swap(sorted);
}

}  // namespace

void Weighter::weigh(const TokenBuffer& tokens, Scratch& scratch, std::vector<WeightedFeature>& out) const {
  scratch.counter.clear();
  for (size_t i = 0; i < tokens.size(); ++i) scratch.counter.add(hash64(tokens.token(i)));
  finish(scratch, out);
}

void Weighter::weigh(std::span<const CountedToken> tokens, Scratch& scratch, std::vector<WeightedFeature>& out) const {
  scratch.counter.clear();
  for (const CountedToken& each : tokens) {
    if (each.count > 0) scratch.counter.add(hash64(each.token), each.count);
  }
  finish(scratch, out);
}

void Weighter::weigh(std::span<const uint64_t> hashes, Scratch& scratch, std::vector<WeightedFeature>& out) const {
  scratch.counter.clear();
  for (const uint64_t hash : hashes) scratch.counter.add(hash);
  finish(scratch, out);
}

int32_t Weighter::weight(const TokenCounter::Entry& entry) const noexcept {
  switch (kind_) {
    case WeightingKind::kTf:
      return saturated(entry.count);
    case WeightingKind::kTfIdf:
      return saturated(uint64_t{entry.count} * static_cast<uint64_t>(table_->idf(entry.hash)));
    case WeightingKind::kNone:
      break;
  }
  return 1;
}

void Weighter::finish(Scratch& scratch, std::vector<WeightedFeature>& out) const {
  out.clear();
  const auto entries = scratch.counter.entries();
  if (top_k_ == 0 || entries.size() <= top_k_) {
    for (const TokenCounter::Entry& entry : entries) out.push_back({entry.hash, weight(entry)});
  } else {
    auto& ranked = scratch.ranked;
    ranked.clear();
    for (const TokenCounter::Entry& entry : entries) {
      ranked.push_back({{entry.hash, weight(entry)}, static_cast<uint32_t>(ranked.size())});
    }
    // A total order, so that the selection is one, too.
    std::nth_element(ranked.begin(), ranked.begin() + top_k_, ranked.end(), [](const Scratch::Ranked& a, const Scratch::Ranked& b) {
      return a.feature.weight != b.feature.weight ? a.feature.weight > b.feature.weight : a.first < b.first;
    });
    for (size_t i = 0; i < top_k_; ++i) out.push_back(ranked[i].feature);
  }
  if (table_ != nullptr) table_->check_file();
  sort_by_hash(out, scratch);
}

int32_t fixed_weight(double weight) noexcept {
  const double scaled = weight * 65536;  // exact, short of infinity
  if (!(scaled > 0)) return 0;
  if (scaled >= kMaxWeight) return kMaxWeight;
  // Adding 1/2 first would round; the difference is exact.
  const double whole = std::floor(scaled);
  return saturated(static_cast<uint64_t>(whole) + (scaled - whole >= 0.5 ? 1 : 0));
}

void weigh_keywords(std::span<const Keyword> keywords, std::vector<WeightedFeature>& out) {
  out.clear();
  for (const Keyword& keyword : keywords) {
    if (const int32_t weight = fixed_weight(keyword.weight); weight > 0) out.push_back({hash64(keyword.word), weight});
  }
  std::sort(out.begin(), out.end(), by_hash);
  size_t kept = 0;
  for (size_t i = 0; i < out.size(); ++i) {
    if (kept > 0 && out[kept - 1].hash == out[i].hash) {
      out[kept - 1].weight = saturated(static_cast<uint64_t>(out[kept - 1].weight) + static_cast<uint64_t>(out[i].weight));
    } else {
      out[kept++] = out[i];
    }
  }
  out.resize(kept);
}

}  // namespace neardup
