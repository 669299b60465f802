#include "store/hamming_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "neardup/error.h"
#include "store/hamming_entries.h"

namespace neardup {
namespace {

constexpr size_t kParallelBuild = 1u << 16;  // entries: fewer are not worth the threads

}  // namespace

template <typename Code>
HammingLive<Code>::HammingLive(std::string folder, HammingManifest manifest, std::unique_ptr<NewFolder> building)
    : folder_(std::move(folder)),
      spec_(manifest.spec),
      lock_(building->take_lock()),
      building_(std::move(building)),
      next_id_(manifest.next_id),
      disk_(std::move(manifest)) {
  sweep_folder(folder_, disk_);
}

template <typename Code>
HammingLive<Code>::HammingLive(std::string folder, std::unique_ptr<FolderLock> lock) : folder_(std::move(folder)), lock_(std::move(lock)) {
  constexpr int kAttempts = 20;
  for (int attempt = 0;; ++attempt) {
    disk_ = HammingManifest::read(folder_);
    if (disk_.spec.bits != Code::kBits) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the index '{}' holds fingerprints of {} bits, not of {}", folder_, disk_.spec.bits, Code::kBits));
    }
    spec_ = disk_.spec;
    view_.segments.clear();
    try {
      for (const ListedSegment& segment : disk_.segments) view_.segments.push_back(open_segment(segment));
      break;
    } catch (const Error&) {
      // A merge may have taken the segments away after the manifest was read; then there is a new one.
      if (lock_ || attempt == kAttempts || HammingManifest::read(folder_) == disk_) throw;
    }
  }
  view_.removals = Removals(disk_.removals);
  clock_ = disk_.clock;
  next_id_ = disk_.next_id;
  next_segment_ = disk_.next_segment;
  if (!lock_) return;
  sweep_folder(folder_, disk_);
  unmark_folder(folder_);  // of a builder that was killed right after it wrote the manifest
}

template <typename Code>
HammingPartPointer<Code> HammingLive<Code>::open_segment(const ListedSegment& listed) const {
  auto part = std::make_shared<HammingPart<Code>>();
  const std::string path = folder_ + "/" + listed.file;
  part->segment = std::make_unique<const HammingSegment<Code>>(path, spec_);
  if (part->segment->file().sum() != listed.sum || part->segment->index().size() != listed.entries) {
    throw Error(ErrorCode::kInput, fmt::format("'{}': it is not the file that the MANIFEST of its folder means", path));
  }
  part->born = listed.born;
  part->listed = listed;
  return part;
}

template <typename Code>
void HammingLive<Code>::require_writing() const {
  if (!lock_) throw Error(ErrorCode::kUsage, fmt::format("the index '{}' is open for reading", folder_));
}

template <typename Code>
void HammingLive<Code>::require_writing(bool named) const {
  require_writing();
  if (named == spec_.names) return;
  const char* why = named ? "has no names, an entry has one" : "has names and gives the ids, an entry has none";
  throw Error(ErrorCode::kUsage, fmt::format("the index '{}' {}", folder_, why));
}

template <typename Code>
uint64_t HammingLive<Code>::take_id() {
  uint64_t next = next_id_.load();
  do {
    if (next == UINT64_MAX) throw Error(ErrorCode::kUsage, fmt::format("the index '{}' has no ids left: {} is used", folder_, next - 1));
  } while (!next_id_.compare_exchange_weak(next, next + 1));
  return next;
}

template <typename Code>
void HammingLive<Code>::note_id(uint64_t id) {
  if (id == UINT64_MAX) throw Error(ErrorCode::kUsage, fmt::format("an id of {}; expected at most {}", id, UINT64_MAX - 1));
  uint64_t next = next_id_.load();
  while (next <= id && !next_id_.compare_exchange_weak(next, id + 1)) {
  }
}

template <typename Code>
void HammingLive<Code>::add(Code code, uint64_t id, std::string_view name) {
  const std::lock_guard writing(writers_);
  {
    const std::unique_lock lock(seen_);
    if (spec_.names) names_[id] = name;
    view_.tail.add(code, id, clock_);
  }
  if (view_.tail.size() >= HammingTail<Code>::kMost) pack_tail();
}

template <typename Code>
void HammingLive<Code>::remove(uint64_t id) {
  const std::lock_guard writing(writers_);
  if (id >= next_id_) return;
  const std::unique_lock lock(seen_);
  view_.removals.add(id, ++clock_);
  names_.erase(id);
}

template <typename Code>
void HammingLive<Code>::gather(size_t from_level, std::vector<Code>& codes, std::vector<uint64_t>& ids) const {
  const auto take = [&](Code code, uint64_t id, uint64_t born) {
    if (view_.removals.kill(id, born)) return;
    codes.push_back(code);
    ids.push_back(id);
  };
  for (size_t i = 0; i < view_.tail.size(); ++i) take(view_.tail.list[i], view_.tail.ids[i], view_.tail.born[i]);
  for (size_t i = from_level; i < view_.levels.size(); ++i) {
    for_each_entry(view_.levels[i]->index(), [&](Code code, uint64_t id) { take(code, id, view_.levels[i]->born); });
  }
}

// The tail becomes a level, together with the levels that are not larger than what comes to them: so every entry is indexed again a
// logarithmic number of times, and there is a logarithmic number of levels.
template <typename Code>
void HammingLive<Code>::pack_tail() {
  size_t entries = view_.tail.size();
  size_t from = view_.levels.size();
  while (from > 0 && view_.levels[from - 1]->index().size() <= entries) entries += view_.levels[--from]->index().size();
  std::vector<Code> codes;
  std::vector<uint64_t> ids;
  gather(from, codes, ids);
  HammingPartPointer<Code> level;
  if (!codes.empty()) {
    auto part = std::make_shared<HammingPart<Code>>();
    part->born = clock_;
    part->level = HammingIndex<Code>::build(codes, ids, {.radius = spec_.radius, .threads = codes.size() < kParallelBuild ? 1u : 0u});
    level = std::move(part);
  }
  std::vector<HammingPartPointer<Code>> levels(view_.levels.begin(), view_.levels.begin() + static_cast<ptrdiff_t>(from));
  if (level) levels.push_back(std::move(level));
  HammingTail<Code> tail;
  const std::unique_lock lock(seen_);
  std::swap(view_.levels, levels);
  std::swap(view_.tail, tail);
}

template class HammingLive<Fingerprint64>;
template class HammingLive<Fingerprint128>;

}  // namespace neardup
