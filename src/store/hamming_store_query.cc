// What a HammingStore answers: which codes are near, and the names of ids.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "neardup/error.h"
#include "store/hamming_live.h"

namespace neardup {
namespace {

template <typename Code>
void check_radius(const HammingLive<Code>& live, uint32_t radius) {
  if (radius <= live.spec().radius) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("distance {} asked of the index '{}', which was made for at most {}", radius, live.folder(), live.spec().radius));
}

struct QueryScratch {
  HammingStoreScratch store;
  std::vector<HammingHit> hits;
};

// Calls work(i, scratch, slot) on all threads, and visit(i, slot) in order.
template <typename Slot, typename Work, typename Visit>
void for_each_query(size_t count, uint32_t threads, const Work& work, const Visit& visit) {
  threads = resolve_threads(threads);
  std::vector<QueryScratch> scratch(threads);
  std::vector<Slot> slots(OrderedLine::slot_count(threads));
  OrderedLine::run(
      threads, [&](uint64_t i, size_t) { return i < count; },
      [&](uint32_t worker, uint64_t i, size_t slot) { work(i, scratch[worker], slots[slot]); },
      [&](uint64_t i, size_t slot) { visit(i, slots[slot]); });
}

}  // namespace

template <typename Code>
void HammingStore<Code>::query(Code code, uint32_t radius, HammingStoreScratch& scratch, std::vector<HammingHit>& hits) const {
  check_radius(state_->live, radius);
  state_->live.see([&](const auto& view, const auto&) { view.query(code, radius, scratch, hits); });
}

template <typename Code>
void HammingStore<Code>::nearest(Code code, size_t most, uint32_t radius, HammingStoreScratch& scratch,
                                 std::vector<HammingHit>& hits) const {
  query(code, radius, scratch, hits);
  if (hits.size() > most) hits.resize(most);
}

template <typename Code>
uint64_t HammingStore<Code>::count(Code code, uint32_t radius, HammingStoreScratch& scratch) const {
  check_radius(state_->live, radius);
  return state_->live.see([&](const auto& view, const auto&) { return view.count(code, radius, scratch); });
}

template <typename Code>
void HammingStore<Code>::query_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitHits& visit) const {
  check_radius(state_->live, radius);
  const HammingView<Code> view = state_->live.view();
  view.query_all(codes, radius, threads, visit);
}

template <typename Code>
void HammingStore<Code>::nearest_all(std::span<const Code> codes, size_t most, uint32_t radius, uint32_t threads,
                                     const VisitHits& visit) const {
  check_radius(state_->live, radius);
  const HammingView<Code> view = state_->live.view();
  const auto work = [&](size_t i, QueryScratch& scratch, std::vector<HammingHit>& hits) {
    view.query(codes[i], radius, scratch.store, scratch.hits);
    const auto end = scratch.hits.begin() + static_cast<ptrdiff_t>(std::min(most, scratch.hits.size()));
    hits.assign(scratch.hits.begin(), end);
  };
  for_each_query<std::vector<HammingHit>>(codes.size(), threads, work, visit);
}

template <typename Code>
void HammingStore<Code>::count_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitCount& visit) const {
  check_radius(state_->live, radius);
  const HammingView<Code> view = state_->live.view();
  const auto work = [&](size_t i, QueryScratch& scratch, uint64_t& count) { count = view.count(codes[i], radius, scratch.store); };
  for_each_query<uint64_t>(codes.size(), threads, work, visit);
}

template <typename Code>
std::optional<std::string> HammingStore<Code>::name(uint64_t id) const {
  return state_->live.see([&](const HammingView<Code>& view, const auto& names) -> std::optional<std::string> {
    if (const auto found = names.find(id); found != names.end()) return found->second;
    for (const auto& part : view.segments) {
      if (view.removals.kill(id, part->born)) continue;
      if (const auto found = part->segment->names().find(id)) {
        std::string name(*found);
        part->segment->file().check();
        return name;
      }
    }
    return std::nullopt;
  });
}

template <typename Code>
void HammingStore<Code>::find_names(std::span<const std::string> names,
                                    const std::function<void(size_t position, uint64_t id)>& visit) const {
  std::unordered_map<std::string_view, std::vector<size_t>> wanted;
  for (size_t i = 0; i < names.size(); ++i) wanted[names[i]].push_back(i);
  std::vector<std::pair<size_t, uint64_t>> found;
  const auto look = [&](std::string_view name, uint64_t id) {
    const auto at = wanted.find(name);
    if (at == wanted.end()) return;
    for (const size_t position : at->second) found.emplace_back(position, id);
  };
  const auto [segments, removals] = state_->live.see([&](const HammingView<Code>& view, const auto& in_memory) {
    for (const auto& [id, name] : in_memory) look(name, id);
    return std::pair(view.segments, view.removals);
  });
  for (const auto& part : segments) {
    const NameTable& table = part->segment->names();
    for (uint64_t i = 0; i < table.size(); ++i) {
      const uint64_t id = table.id(i);
      if (!removals.kill(id, part->born)) look(table.name(i), id);
    }
    part->segment->file().check();
  }
  std::ranges::sort(found);
  for (const auto& [position, id] : found) visit(position, id);
}

template void HammingStore<Fingerprint64>::query(Fingerprint64, uint32_t, HammingStoreScratch&, std::vector<HammingHit>&) const;
template void HammingStore<Fingerprint128>::query(Fingerprint128, uint32_t, HammingStoreScratch&, std::vector<HammingHit>&) const;
template void HammingStore<Fingerprint64>::nearest(Fingerprint64, size_t, uint32_t, HammingStoreScratch&, std::vector<HammingHit>&) const;
template void HammingStore<Fingerprint128>::nearest(Fingerprint128, size_t, uint32_t, HammingStoreScratch&, std::vector<HammingHit>&) const;
template uint64_t HammingStore<Fingerprint64>::count(Fingerprint64, uint32_t, HammingStoreScratch&) const;
template uint64_t HammingStore<Fingerprint128>::count(Fingerprint128, uint32_t, HammingStoreScratch&) const;
template void HammingStore<Fingerprint64>::query_all(std::span<const Fingerprint64>, uint32_t, uint32_t, const VisitHits&) const;
template void HammingStore<Fingerprint128>::query_all(std::span<const Fingerprint128>, uint32_t, uint32_t, const VisitHits&) const;
template void HammingStore<Fingerprint64>::nearest_all(std::span<const Fingerprint64>, size_t, uint32_t, uint32_t, const VisitHits&) const;
template void HammingStore<Fingerprint128>::nearest_all(std::span<const Fingerprint128>, size_t, uint32_t, uint32_t,
                                                        const VisitHits&) const;
template void HammingStore<Fingerprint64>::count_all(std::span<const Fingerprint64>, uint32_t, uint32_t, const VisitCount&) const;
template void HammingStore<Fingerprint128>::count_all(std::span<const Fingerprint128>, uint32_t, uint32_t, const VisitCount&) const;
template std::optional<std::string> HammingStore<Fingerprint64>::name(uint64_t) const;
template std::optional<std::string> HammingStore<Fingerprint128>::name(uint64_t) const;
template void HammingStore<Fingerprint64>::find_names(std::span<const std::string>, const std::function<void(size_t, uint64_t)>&) const;
template void HammingStore<Fingerprint128>::find_names(std::span<const std::string>, const std::function<void(size_t, uint64_t)>&) const;

}  // namespace neardup
