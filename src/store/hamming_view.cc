#include "store/hamming_view.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/parallel.h"

namespace neardup {

template <typename Code>
template <typename Visit>
void HammingView<Code>::for_each_part(const Visit& visit) const {
  for (const auto& part : segments) visit(*part);
  for (const auto& part : levels) visit(*part);
}

template <typename Code>
void HammingView<Code>::query_tail(Code code, uint32_t radius, std::vector<HammingHit>& hits) const {
  tail.codes.visit(code, radius, [&](uint32_t i) {
    if (!removals.kill(tail.ids[i], tail.born[i])) hits.push_back({hamming_distance(tail.list[i], code), tail.ids[i]});
    return true;
  });
}

template <typename Code>
void HammingView<Code>::query(Code code, uint32_t radius, HammingStoreScratch& scratch, std::vector<HammingHit>& hits) const {
  hits.clear();
  size_t sources = 0;  // a single one is in order already
  const auto took = [&](size_t before) { sources += hits.size() > before ? 1 : 0; };
  for_each_part([&](const HammingPart<Code>& part) {
    part.index().query(code, radius, scratch.index, scratch.hits);
    const size_t before = hits.size();
    if (removals.concern(part.born)) {
      std::ranges::copy_if(scratch.hits, std::back_inserter(hits),
                           [&](const HammingHit& hit) { return !removals.kill(hit.id, part.born); });
    } else {
      hits.insert(hits.end(), scratch.hits.begin(), scratch.hits.end());
    }
    took(before);
  });
  const size_t before = hits.size();
  query_tail(code, radius, hits);
  if (hits.size() > before) sources = 2;
  if (sources > 1) std::ranges::sort(hits);
}

template <typename Code>
uint64_t HammingView<Code>::count(Code code, uint32_t radius, HammingStoreScratch& scratch) const {
  uint64_t entries = 0;
  for_each_part([&](const HammingPart<Code>& part) {
    if (!removals.concern(part.born)) {
      entries += part.index().count(code, radius, scratch.index);
      return;
    }
    part.index().query(code, radius, scratch.index, scratch.hits);
    entries += static_cast<uint64_t>(
        std::ranges::count_if(scratch.hits, [&](const HammingHit& hit) { return !removals.kill(hit.id, part.born); }));
  });
  scratch.hits.clear();
  query_tail(code, radius, scratch.hits);
  return entries + scratch.hits.size();
}

template <typename Code>
void HammingView<Code>::query_all(std::span<const Code> codes, uint32_t radius, uint32_t threads,
                                  const typename HammingIndex<Code>::VisitHits& visit) const {
  constexpr size_t kQueries = 1u << 14;  // at once: their hits wait for those of the other parts
  if (segments.size() + levels.size() == 1 && tail.size() == 0) {
    const HammingPart<Code>& only = segments.empty() ? *levels[0] : *segments[0];
    if (!removals.concern(only.born)) return only.index().query_all(codes, radius, threads, visit);
  }
  struct Hit {
    size_t query;
    HammingHit hit;
    auto operator<=>(const Hit&) const = default;
  };
  threads = resolve_threads(threads);
  std::vector<Hit> hits;
  std::vector<std::vector<Hit>> of_tail(threads);
  std::vector<std::vector<HammingHit>> scratch(threads);
  std::vector<HammingHit> list;
  for (size_t begin = 0; begin < codes.size(); begin += kQueries) {
    const auto chunk = codes.subspan(begin, std::min(kQueries, codes.size() - begin));
    hits.clear();
    for_each_part([&](const HammingPart<Code>& part) {
      part.index().query_all(chunk, radius, threads, [&](size_t query, std::span<const HammingHit> found) {
        for (const HammingHit& hit : found) {
          if (!removals.kill(hit.id, part.born)) hits.push_back({query, hit});
        }
      });
    });
    if (tail.size() > 0) {
      parallel_for(threads, chunk.size(), 64, [&](uint32_t worker, size_t query) {
        scratch[worker].clear();
        query_tail(chunk[query], radius, scratch[worker]);
        for (const HammingHit& hit : scratch[worker]) of_tail[worker].push_back({query, hit});
      });
      for (auto& found : of_tail) {
        hits.insert(hits.end(), found.begin(), found.end());
        found.clear();
      }
    }
    std::ranges::sort(hits);
    auto next = hits.begin();
    for (size_t query = 0; query < chunk.size(); ++query) {
      list.clear();
      for (; next != hits.end() && next->query == query; ++next) list.push_back(next->hit);
      visit(begin + query, list);
    }
  }
}

template <typename Code>
uint64_t HammingView<Code>::unflushed() const noexcept {
  return std::accumulate(levels.begin(), levels.end(), uint64_t{tail.size()},
                         [](uint64_t sum, const auto& part) { return sum + part->index().size(); });
}

template <typename Code>
uint64_t HammingView<Code>::size() const noexcept {
  return std::accumulate(segments.begin(), segments.end(), unflushed(),
                         [](uint64_t sum, const auto& part) { return sum + part->index().size(); });
}

template struct HammingView<Fingerprint64>;
template struct HammingView<Fingerprint128>;

}  // namespace neardup
