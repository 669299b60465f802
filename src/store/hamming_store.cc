#include "neardup/hamming_store.h"

#include <fmt/format.h>

#include <utility>

#include "neardup/error.h"
#include "neardup/stop.h"
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
    throw Error(ErrorCode::kUsage, fmt::format("index '{}': fingerprints of {} bits; expected {}", folder, spec.bits, Code::kBits));
  }
  HammingManifest manifest;
  manifest.spec = spec;
  return HammingStore(
      std::unique_ptr<State>(new State{HammingLive<Code>(folder, std::move(manifest), std::make_unique<NewFolder>(folder))}));
}

template <typename Code>
HammingStore<Code> HammingStore<Code>::open(const std::string& folder, HammingAccess access) {
  std::unique_ptr<FolderLock> lock;
  if (access == HammingAccess::kWrite) {
    HammingManifest::read(folder);  // what is not a store gets no lock either
    lock = std::make_unique<FolderLock>(folder);
  }
  return HammingStore(std::unique_ptr<State>(new State{HammingLive<Code>(folder, std::move(lock))}));
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
  const StopScope scope(&build.stop);
  state_->live.flush(build);
}

template <typename Code>
void HammingStore<Code>::merge(size_t most, const HammingStoreBuild& build) {
  const StopScope scope(&build.stop);
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
