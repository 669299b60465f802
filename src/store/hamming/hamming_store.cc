#include "neardup/hamming_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "base/spill_file.h"
#include "index/hamming/hamming_access.h"
#include "neardup/error.h"
#include "neardup/stop.h"
#include "store/hamming/hamming_merge.h"
#include "store/hamming/open_hamming_store.h"
#include "store/name_search.h"

namespace neardup {
namespace {

std::string plan_text(const HammingPlan& plan) {
  std::string text;
  for (const HammingBlock& block : plan.blocks) text += fmt::format("{}{}+{}", text.empty() ? "" : " ", block.width, block.flips);
  return text;
}

template <typename Code>
void check_radius(const OpenHammingStore<Code>& store, uint32_t radius) {
  if (radius <= store.spec().radius) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("distance {} exceeds {}, the maximum of the index '{}'", radius, store.spec().radius, store.folder()));
}

// The memory of each of the four files of a bulk: a quarter of it in all, and never 0, which would be no bound.
uint64_t share_of(uint64_t memory) {
  return memory == 0 ? 0 : std::max<uint64_t>(memory / 16, 1);
}

// Reads the entries and the names of a segment, whose blocks are verified.
template <typename Code>
void verify_entries(const HammingSegment<Code>& segment, bool named, uint64_t next_id) {
  constexpr uint64_t kStopEvery = 1 << 16;  // entries: well below a tenth of a second
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::kInput, fmt::format("'{}': {}", segment.file().name(), what));
  };
  uint64_t entries = 0;
  for_each_entry(segment.index(), [&](Code, uint64_t id) {
    if (entries++ % kStopEvery == 0) check_stop();
    if (id >= next_id) refuse(fmt::format("an entry has the id {}; the index has ids below {}", id, next_id));
  });
  const NameTable& names = segment.names();
  if (names.size() != (named ? entries : 0)) {
    refuse(fmt::format("{} names of {} entries; expected {}", names.size(), entries, named ? "one for each" : "none"));
  }
  for (uint64_t i = 0; i < names.size(); ++i) {
    if (i % kStopEvery == 0) check_stop();
    static_cast<void>(names.name(i));
    if (i > 0 && names.id(i) <= names.id(i - 1)) {
      refuse(fmt::format("name {} is of the id {} after {}; expected ascending ids", i, names.id(i), names.id(i - 1)));
    }
    if (names.id(i) >= next_id) refuse(fmt::format("name {} is of the id {}; the index has ids below {}", i, names.id(i), next_id));
  }
  segment.file().check();
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

HammingStoreSpec hamming_store_spec(const std::string& folder) {
  return hamming_spec_of(StoreManifest::read(folder), folder);
}

bool hamming_store_unused(const std::string& folder) {
  return is_unused(folder);
}

template <typename Code>
struct HammingStore<Code>::Impl {
  template <typename... Arguments>
  explicit Impl(Arguments&&... arguments) : open(std::forward<Arguments>(arguments)...) {}
  OpenHammingStore<Code> open;
};

template <typename Code>
HammingStore<Code>::HammingStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
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
    throw Error(ErrorCode::kUsage, fmt::format("index '{}': fingerprints of {} bits; expected {}", folder, spec.bits, Code::kBits));
  }
  return HammingStore(std::make_unique<Impl>(folder, spec, std::make_unique<NewFolder>(folder)));
}

template <typename Code>
HammingStore<Code> HammingStore<Code>::open(const std::string& folder, HammingAccess access) {
  std::unique_ptr<FolderLock> lock;
  if (access == HammingAccess::kWrite) lock = OpenHammingStore<Code>::lock_existing(folder);
  return HammingStore(std::make_unique<Impl>(folder, std::move(lock)));
}

template <typename Code>
const HammingStoreSpec& HammingStore<Code>::spec() const noexcept {
  return impl_->open.spec();
}

template <typename Code>
void HammingStore<Code>::require_recipe(uint64_t recipe_id) const {
  if (spec().recipe_id == 0 || spec().recipe_id == recipe_id) return;
  throw Error(ErrorCode::kUsage, fmt::format("the index '{}' was built with recipe {:016x}, not with {:016x}", impl_->open.folder(),
                                             spec().recipe_id, recipe_id));
}

template <typename Code>
void HammingStore<Code>::query(Code code, uint32_t radius, HammingStoreScratch& scratch, std::vector<HammingHit>& hits) const {
  check_radius(impl_->open, radius);
  impl_->open.see([&](const auto& view, const auto&) { view.query(code, radius, scratch, hits); });
}

template <typename Code>
void HammingStore<Code>::nearest(Code code, size_t max_hits, uint32_t radius, HammingStoreScratch& scratch,
                                 std::vector<HammingHit>& hits) const {
  query(code, radius, scratch, hits);
  if (hits.size() > max_hits) hits.resize(max_hits);
}

template <typename Code>
uint64_t HammingStore<Code>::count(Code code, uint32_t radius, HammingStoreScratch& scratch) const {
  check_radius(impl_->open, radius);
  return impl_->open.see([&](const auto& view, const auto&) { return view.count(code, radius, scratch); });
}

template <typename Code>
void HammingStore<Code>::query_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitHits& visit) const {
  check_radius(impl_->open, radius);
  const HammingView<Code> view = impl_->open.view();
  view.query_all(codes, radius, threads, visit);
}

template <typename Code>
void HammingStore<Code>::nearest_all(std::span<const Code> codes, size_t max_hits, uint32_t radius, uint32_t threads,
                                     const VisitHits& visit) const {
  check_radius(impl_->open, radius);
  const HammingView<Code> view = impl_->open.view();
  const auto work = [&](size_t i, QueryScratch& scratch, std::vector<HammingHit>& hits) {
    view.query(codes[i], radius, scratch.store, scratch.hits);
    const auto end = scratch.hits.begin() + static_cast<ptrdiff_t>(std::min(max_hits, scratch.hits.size()));
    hits.assign(scratch.hits.begin(), end);
  };
  for_each_query<std::vector<HammingHit>>(codes.size(), threads, work, visit);
}

template <typename Code>
void HammingStore<Code>::count_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitCount& visit) const {
  check_radius(impl_->open, radius);
  const HammingView<Code> view = impl_->open.view();
  const auto work = [&](size_t i, QueryScratch& scratch, uint64_t& count) { count = view.count(codes[i], radius, scratch.store); };
  for_each_query<uint64_t>(codes.size(), threads, work, visit);
}

template <typename Code>
std::optional<std::string> HammingStore<Code>::name(uint64_t id) const {
  return impl_->open.see([&](const HammingView<Code>& view, const auto& names) -> std::optional<std::string> {
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
  NameSearch search(names);
  const auto [segments, removals] = impl_->open.see([&](const HammingView<Code>& view, const auto& in_memory) {
    for (const auto& [id, name] : in_memory) search.look(name, id);
    return std::pair(view.segments, view.removals);
  });
  for (const auto& part : segments) {
    const NameTable& table = part->segment->names();
    for (uint64_t i = 0; i < table.size(); ++i) {
      const uint64_t id = table.id(i);
      if (!removals.kill(id, part->born)) search.look(table.name(i), id);
    }
    part->segment->file().check();
  }
  search.report(visit);
}

template <typename Code>
uint64_t HammingStore<Code>::add(Code code) {
  impl_->open.require_writing(false);
  const uint64_t id = impl_->open.take_id();
  impl_->open.add(code, id, {});
  return id;
}

template <typename Code>
void HammingStore<Code>::add(Code code, uint64_t id) {
  impl_->open.require_writing(false);
  impl_->open.note_id(id);
  impl_->open.add(code, id, {});
}

template <typename Code>
uint64_t HammingStore<Code>::add(Code code, std::string_view name) {
  impl_->open.require_writing(true);
  const uint64_t id = impl_->open.take_id();
  impl_->open.add(code, id, name);
  return id;
}

template <typename Code>
void HammingStore<Code>::remove(uint64_t id) {
  impl_->open.require_writing();
  impl_->open.remove(id);
}

template <typename Code>
void HammingStore<Code>::flush(const HammingStoreBuild& build) {
  impl_->open.require_writing();
  const StopScope scope(&build.stop);
  impl_->open.flush(build);
}

template <typename Code>
void HammingStore<Code>::merge(size_t max_segments, const HammingStoreBuild& build) {
  const StopScope scope(&build.stop);
  merge_segments(impl_->open, max_segments, build);
}

template <typename Code>
HammingStoreStat HammingStore<Code>::stat() const {
  return impl_->open.see([&](const HammingView<Code>& view, const auto&) {
    HammingStoreStat stat{.folder = impl_->open.folder(), .spec = spec(), .segments = {}};
    for (const auto& part : view.segments) {
      const HammingIndex<Code>& index = part->segment->index();
      stat.segments.push_back(
          {part->listed.file, part->segment->file().file_bytes(), index.size(), index.distinct(), plan_text(index.plan())});
    }
    stat.entries = view.size();
    stat.removed_ids = view.removals.size();
    stat.unflushed = view.unflushed();
    stat.next_id = impl_->open.next_id();
    return stat;
  });
}

template <typename Code>
void HammingStore<Code>::verify(uint32_t threads) const {
  const auto [segments, next_id] =
      impl_->open.see([&](const HammingView<Code>& view, const auto&) { return std::pair(view.segments, impl_->open.next_id()); });
  for (const auto& part : segments) {
    part->segment->file().verify_all(threads);
    verify_entries(*part->segment, spec().names, next_id);
  }
}

// HammingBulk: collects entries in spill files; commit() makes a segment of them.

template <typename Code>
struct HammingBulk<Code>::Impl {
  Impl(OpenHammingStore<Code>& open_store, const HammingStoreBuild& options)
      : store(open_store),
        build(options),
        codes(share_of(options.memory), options.temp_dir),
        ids(share_of(options.memory), options.temp_dir),
        texts(share_of(options.memory), options.temp_dir),
        ends(share_of(options.memory), options.temp_dir) {}

  // The data of a failed commit may be incomplete.
  void require_usable() const {
    if (!failed) return;
    throw Error(ErrorCode::kUsage,
                fmt::format("the index '{}': a commit of these entries failed; they must be added again, by a new bulk", store.folder()));
  }
  uint64_t add(Code code, uint64_t id) {
    codes.add(code);
    ids.add(id);
    ++entries;
    return id;
  }

  OpenHammingStore<Code>& store;
  HammingStoreBuild build;
  uint64_t entries = 0;
  bool failed = false;
  SpillFile codes;
  SpillFile ids;    // with names: ascending
  SpillFile texts;  // the names, one after the other
  SpillFile ends;   // of the names
};

template <typename Code>
HammingBulk<Code>::HammingBulk(HammingStore<Code>& store, const HammingStoreBuild& build)
    : impl_(std::make_unique<Impl>(store.impl_->open, build)) {
  impl_->store.require_writing();
}
template <typename Code>
HammingBulk<Code>::~HammingBulk() = default;
template <typename Code>
HammingBulk<Code>::HammingBulk(HammingBulk&&) noexcept = default;
template <typename Code>
HammingBulk<Code>& HammingBulk<Code>::operator=(HammingBulk&&) noexcept = default;

template <typename Code>
uint64_t HammingBulk<Code>::add(Code code) {
  impl_->require_usable();
  impl_->store.require_writing(false);
  return impl_->add(code, impl_->store.take_id());
}

template <typename Code>
void HammingBulk<Code>::add(Code code, uint64_t id) {
  impl_->require_usable();
  impl_->store.require_writing(false);
  impl_->store.note_id(id);
  impl_->add(code, id);
}

template <typename Code>
uint64_t HammingBulk<Code>::add(Code code, std::string_view name) {
  impl_->require_usable();
  impl_->store.require_writing(true);
  const uint64_t id = impl_->store.take_id();
  impl_->texts.append(name);
  impl_->ends.add(impl_->texts.size());
  return impl_->add(code, id);
}

template <typename Code>
uint64_t HammingBulk<Code>::size() const noexcept {
  return impl_->entries;
}

template <typename Code>
void HammingBulk<Code>::commit() {
  Impl& impl = *impl_;
  OpenHammingStore<Code>& store = impl.store;
  impl.require_usable();
  if (impl.entries == 0) return store.flush(impl.build);
  impl.failed = true;  // until it is done
  const auto ids = impl.ids.template values<uint64_t>();
  WriteNames write_names;
  if (store.spec().names) {
    write_names = [&](NameWriter& writer) {
      const auto texts = impl.texts.bytes();
      const auto ends = impl.ends.template values<uint64_t>();
      uint64_t begin = 0;
      for (size_t i = 0; i < ids.size(); ++i) {
        writer.add(ids[i], {texts.data() + begin, ends[i] - begin});
        begin = ends[i];
      }
    };
  }
  HammingStoreBuild rest = impl.build;
  if (rest.memory != 0) {
    uint64_t waiting = 0;
    for (SpillFile* const file : {&impl.codes, &impl.ids, &impl.texts, &impl.ends}) {
      file->bytes();  // moves data that does not fit completely to the file, so that it takes no memory
      waiting += file->waiting_bytes();
    }
    rest.memory = std::max(rest.memory, waiting + 1) - waiting;  // not 0
  }
  const std::string name = store.new_segment();
  const WrittenSegment written =
      write_hamming_segment<Code>(store.folder() + "/" + name, store.spec(), impl.codes.template values<Code>(), ids, write_names, rest);
  store.publish(NewSegment{name, written}, std::nullopt, {}, impl.build);
  impl_ = std::make_unique<Impl>(store, impl.build);
}

template class HammingStore<Fingerprint64>;
template class HammingStore<Fingerprint128>;
template class HammingBulk<Fingerprint64>;
template class HammingBulk<Fingerprint128>;

}  // namespace neardup
