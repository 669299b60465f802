#include "neardup/hamming_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "neardup/error.h"
#include "store/hamming_live.h"
#include "store/hamming_merge.h"

namespace neardup {
namespace {

std::string plan_text(const HammingPlan& plan) {
  std::string text;
  for (const HammingBlock& block : plan.blocks) text += fmt::format("{}{}+{}", text.empty() ? "" : " ", block.width, block.flips);
  return text;
}

}  // namespace

HammingStoreSpec hamming_store_spec(const std::string& folder) {
  return HammingManifest::read(folder).spec;
}

bool hamming_store_unused(const std::string& folder) {
  return is_unused(folder);
}

template <typename Code>
HammingStore<Code>::HammingStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
template <typename Code>
HammingStore<Code>::~HammingStore() = default;
template <typename Code>
HammingStore<Code>::HammingStore(HammingStore&&) noexcept = default;
template <typename Code>
HammingStore<Code>& HammingStore<Code>::operator=(HammingStore&&) noexcept = default;

template <typename Code>
HammingStore<Code> HammingStore<Code>::create(const std::string& folder, const HammingStoreSpec& spec) {
  check_spec(spec);
  if (spec.bits != Code::kBits) {
    throw Error(ErrorCode::kUsage, fmt::format("index '{}': codes of {} bits; expected {}", folder, spec.bits, Code::kBits));
  }
  make_folder(folder);
  auto lock = std::make_unique<FolderLock>(folder);
  make_folder(folder);  // again: nobody else made or filled a store before the lock was ours
  HammingManifest manifest;
  manifest.spec = spec;
  manifest.write(folder);
  return HammingStore(std::unique_ptr<State>(new State{HammingLive<Code>(folder, std::move(manifest), std::move(lock))}));
}

template <typename Code>
HammingStore<Code> HammingStore<Code>::open(const std::string& folder, HammingAccess access) {
  std::unique_ptr<FolderLock> lock;
  if (access == HammingAccess::kWrite) {
    HammingManifest::read(folder);  // what is no store gets no lock either
    lock = std::make_unique<FolderLock>(folder);
  }
  return HammingStore(std::unique_ptr<State>(new State{HammingLive<Code>(folder, std::nullopt, std::move(lock))}));
}

template <typename Code>
const HammingStoreSpec& HammingStore<Code>::spec() const noexcept {
  return state_->live.spec();
}

template <typename Code>
void HammingStore<Code>::require_recipe(uint64_t recipe_id) const {
  if (spec().recipe_id == 0 || spec().recipe_id == recipe_id) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("the index '{}' is of the recipe {:016x}, not of {:016x}", state_->live.folder(), spec().recipe_id, recipe_id));
}

namespace {

template <typename Code>
void check_radius(const HammingLive<Code>& live, uint32_t radius) {
  if (radius <= live.spec().radius) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("distance {} asked of the index '{}', which was made for at most {}", radius, live.folder(), live.spec().radius));
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
  const HammingView<Code> copy = state_->live.see([](const auto& view, const auto&) { return view; });
  copy.query_all(codes, radius, threads, visit);
}

namespace {

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
void HammingStore<Code>::nearest_all(std::span<const Code> codes, size_t most, uint32_t radius, uint32_t threads,
                                     const VisitHits& visit) const {
  check_radius(state_->live, radius);
  const HammingView<Code> copy = state_->live.see([](const auto& view, const auto&) { return view; });
  const auto work = [&](size_t i, QueryScratch& scratch, std::vector<HammingHit>& hits) {
    copy.query(codes[i], radius, scratch.store, scratch.hits);
    const auto end = scratch.hits.begin() + static_cast<ptrdiff_t>(std::min(most, scratch.hits.size()));
    hits.assign(scratch.hits.begin(), end);
  };
  for_each_query<std::vector<HammingHit>>(codes.size(), threads, work, visit);
}

template <typename Code>
void HammingStore<Code>::count_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitCount& visit) const {
  check_radius(state_->live, radius);
  const HammingView<Code> copy = state_->live.see([](const auto& view, const auto&) { return view; });
  const auto work = [&](size_t i, QueryScratch& scratch, uint64_t& count) { count = copy.count(codes[i], radius, scratch.store); };
  for_each_query<uint64_t>(codes.size(), threads, work, visit);
}

template <typename Code>
std::optional<std::string> HammingStore<Code>::name(uint64_t id) const {
  return state_->live.see([&](const HammingView<Code>& view, const auto& names) -> std::optional<std::string> {
    if (const auto found = names.find(id); found != names.end()) return found->second;
    for (const auto& part : view.segments) {
      if (view.removals.kill(id, part->born)) continue;
      if (const auto found = part->segment->names().find(id)) return std::string(*found);
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
  }
  std::ranges::sort(found);
  for (const auto& [position, id] : found) visit(position, id);
}

template <typename Code>
uint64_t HammingStore<Code>::add(Code code) {
  state_->live.require_writing(false);
  const uint64_t id = state_->live.take_id();
  state_->live.add(code, id, {});
  return id;
}

template <typename Code>
void HammingStore<Code>::add(Code code, uint64_t id) {
  state_->live.require_writing(false);
  state_->live.note_id(id);
  state_->live.add(code, id, {});
}

template <typename Code>
uint64_t HammingStore<Code>::add(Code code, std::string_view name) {
  state_->live.require_writing(true);
  const uint64_t id = state_->live.take_id();
  state_->live.add(code, id, name);
  return id;
}

template <typename Code>
void HammingStore<Code>::remove(uint64_t id) {
  state_->live.require_writing();
  state_->live.remove(id);
}

template <typename Code>
void HammingStore<Code>::flush(const HammingStoreBuild& build) {
  state_->live.require_writing();
  state_->live.flush(build);
}

template <typename Code>
void HammingStore<Code>::merge(size_t most, const HammingStoreBuild& build) {
  merge_segments(state_->live, most, build);
}

template <typename Code>
HammingStoreStat HammingStore<Code>::stat() const {
  return state_->live.see([&](const HammingView<Code>& view, const auto&) {
    HammingStoreStat stat{.folder = state_->live.folder(), .spec = spec(), .segments = {}};
    for (const auto& part : view.segments) {
      const HammingIndex<Code>& index = part->index();
      stat.segments.push_back(
          {part->listed.file, part->segment->file().file_bytes(), index.size(), index.distinct(), plan_text(index.plan())});
    }
    stat.entries = view.size();
    stat.removed_ids = view.removals.size();
    stat.unflushed = view.unflushed();
    stat.next_id = state_->live.next_id();
    return stat;
  });
}

template <typename Code>
void HammingStore<Code>::verify(uint32_t threads) const {
  const auto segments = state_->live.see([](const HammingView<Code>& view, const auto&) { return view.segments; });
  for (const auto& part : segments) part->segment->file().verify_all(threads);
}

template class HammingStore<Fingerprint64>;
template class HammingStore<Fingerprint128>;

}  // namespace neardup
