#include "store/hamming/hamming_view.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/parallel.h"

namespace neardup {

template <typename Code>
template <typename Visit>
void HammingView<Code>::for_each_part(const Visit& visit) const {
  for (const auto& part : segments) visit(part->segment->index(), part->born);
  for (const auto& level : levels) visit(level->index, level->born);
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
  size_t sources = 0;  // the hits of a single one are sorted already
  const auto took = [&](size_t before) { sources += hits.size() > before ? 1 : 0; };
  for_each_part([&](const HammingIndex<Code>& index, uint64_t born) {
    index.query(code, radius, scratch.index, scratch.hits);
    const size_t before = hits.size();
    if (removals.concern(born)) {
      std::ranges::copy_if(scratch.hits, std::back_inserter(hits), [&](const HammingHit& hit) { return !removals.kill(hit.id, born); });
    } else {
      hits.insert(hits.end(), scratch.hits.begin(), scratch.hits.end());
    }
    took(before);
  });
  const size_t before = hits.size();
  query_tail(code, radius, hits);
  if (hits.size() > before) sources = 2;
  check_files();
  if (sources > 1) std::ranges::sort(hits);
}

template <typename Code>
uint64_t HammingView<Code>::count(Code code, uint32_t radius, HammingStoreScratch& scratch) const {
  uint64_t entries = 0;
  for_each_part([&](const HammingIndex<Code>& index, uint64_t born) {
    if (!removals.concern(born)) {
      entries += index.count(code, radius, scratch.index);
      return;
    }
    index.query(code, radius, scratch.index, scratch.hits);
    entries +=
        static_cast<uint64_t>(std::ranges::count_if(scratch.hits, [&](const HammingHit& hit) { return !removals.kill(hit.id, born); }));
  });
  scratch.hits.clear();
  query_tail(code, radius, scratch.hits);
  check_files();
  return entries + scratch.hits.size();
}

template <typename Code>
void HammingView<Code>::query_all(std::span<const Code> codes, uint32_t radius, uint32_t threads,
                                  const typename HammingIndex<Code>::VisitHits& visit) const {
  // Queries per step: their hits wait for those of the other parts. Fewer if there are too many hits: at most about kMaxHits wait, or the
  // hits of one query in a part.
  constexpr size_t kQueries = 1u << 14;
  constexpr size_t kMaxHits = 1u << 20;
  constexpr size_t kTailQueries = 256;
  if (segments.size() + levels.size() == 1 && tail.size() == 0) {
    const HammingIndex<Code>& only = segments.empty() ? levels[0]->index : segments[0]->segment->index();
    if (!removals.concern(segments.empty() ? levels[0]->born : segments[0]->born)) {
      return only.query_all(codes, radius, threads, [&](size_t query, std::span<const HammingHit> found) {
        check_files();
        visit(query, found);
      });
    }
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
  const size_t max_hits_of_part = kMaxHits / (segments.size() + levels.size() + 1);  // of a part
  size_t wanted = kQueries;
  for (size_t begin = 0; begin < codes.size();) {
    auto chunk = codes.subspan(begin, std::min(wanted, codes.size() - begin));
    size_t end = chunk.size();  // of the queries whose hits are complete
    hits.clear();
    for_each_part([&](const HammingIndex<Code>& index, uint64_t born) {
      const size_t before = hits.size();
      chunk = chunk.first(end);
      index.query_all(chunk, radius, threads, [&](size_t query, std::span<const HammingHit> found) {
        if (query >= end) return;
        for (const HammingHit& hit : found) {
          if (!removals.kill(hit.id, born)) hits.push_back({query, hit});
        }
        if (hits.size() - before > max_hits_of_part) end = query + 1;
      });
    });
    const size_t before_tail = hits.size();
    for (size_t at = 0; at < end && tail.size() > 0; at += kTailQueries) {
      parallel_for(threads, std::min(kTailQueries, end - at), 64, [&](uint32_t worker, size_t query) {
        scratch[worker].clear();
        query_tail(chunk[at + query], radius, scratch[worker]);
        for (const HammingHit& hit : scratch[worker]) of_tail[worker].push_back({at + query, hit});
      });
      for (auto& found : of_tail) {
        hits.insert(hits.end(), found.begin(), found.end());
        found.clear();
      }
      if (hits.size() - before_tail > max_hits_of_part) end = std::min(end, at + kTailQueries);
    }
    check_files();
    std::erase_if(hits, [&](const Hit& hit) { return hit.query >= end; });
    std::ranges::sort(hits);
    auto next = hits.begin();
    for (size_t query = 0; query < end; ++query) {
      list.clear();
      for (; next != hits.end() && next->query == query; ++next) list.push_back(next->hit);
      visit(begin + query, list);
    }
    begin += end;
    wanted = std::min(kQueries, end * 2);  // the searches in vain are at most as many as the answers
  }
}

template <typename Code>
uint64_t HammingView<Code>::unflushed() const noexcept {
  return std::accumulate(levels.begin(), levels.end(), uint64_t{tail.size()},
                         [](uint64_t sum, const auto& level) { return sum + level->index.size(); });
}

template <typename Code>
uint64_t HammingView<Code>::size() const noexcept {
  return std::accumulate(segments.begin(), segments.end(), unflushed(),
                         [](uint64_t sum, const auto& part) { return sum + part->segment->index().size(); });
}

template <typename Code>
uint64_t HammingView<Code>::earliest_born() const noexcept {
  uint64_t earliest = StoreView<HammingSegment<Code>>::earliest_born();
  for (const auto& level : levels) earliest = std::min(earliest, level->born);
  for (const uint64_t born : tail.born) earliest = std::min(earliest, born);
  return earliest;
}

template struct HammingView<Fingerprint64>;
template struct HammingView<Fingerprint128>;

}  // namespace neardup
