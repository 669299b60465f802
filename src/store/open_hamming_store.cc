#include "store/open_hamming_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "index/hamming/hamming_access.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kParallelBuild = 1u << 16;  // entries: below this, threads do not pay

template <typename Code>
uint64_t earliest_born(const HammingView<Code>& view) {
  uint64_t earliest = UINT64_MAX;
  for (const auto& part : view.segments) earliest = std::min(earliest, part->born);
  for (const auto& part : view.levels) earliest = std::min(earliest, part->born);
  for (const uint64_t born : view.tail.born) earliest = std::min(earliest, born);
  return earliest;
}

// Forgets removals that affect nothing any more.
template <typename Code>
void forget_removals(HammingView<Code>& view) noexcept {
  try {
    view.removals.forget(earliest_born(view));
  } catch (const std::bad_alloc&) {  // the next change forgets them
  }
}

// Removes the file unless the operation succeeded.
class FileGuard {
 public:
  explicit FileGuard(std::string path) : path_(std::move(path)) {}
  ~FileGuard() {
    if (!path_.empty()) ::unlink(path_.c_str());  // allocates no memory, which may be exhausted
  }
  FileGuard(const FileGuard&) = delete;
  FileGuard& operator=(const FileGuard&) = delete;
  void keep() noexcept { path_.clear(); }

 private:
  std::string path_;
};

}  // namespace

template <typename Code>
OpenHammingStore<Code>::OpenHammingStore(std::string folder, HammingManifest manifest, std::unique_ptr<NewFolder> building)
    : folder_(std::move(folder)),
      spec_(manifest.spec),
      lock_(building->take_lock()),
      building_(std::move(building)),
      next_id_(manifest.next_id),
      disk_(std::move(manifest)) {
  sweep_folder(folder_, disk_);
}

template <typename Code>
OpenHammingStore<Code>::OpenHammingStore(std::string folder, std::unique_ptr<FolderLock> lock)
    : folder_(std::move(folder)), lock_(std::move(lock)) {
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
      // A merge may have removed the segments after the manifest was read; then there is a new manifest.
      if (lock_ || attempt == kAttempts || HammingManifest::read(folder_) == disk_) throw;
    }
  }
  view_.removals = Removals(disk_.removals);
  clock_ = disk_.clock;
  next_id_ = disk_.next_id;
  next_segment_ = disk_.next_segment;
  if (!lock_) return;
  sweep_folder(folder_, disk_);
  unmark_folder(folder_);  // for a builder that was killed right after it wrote the manifest
}

template <typename Code>
HammingPartPointer<Code> OpenHammingStore<Code>::open_segment(const ListedSegment& listed) const {
  auto part = std::make_shared<HammingPart<Code>>();
  const std::string path = folder_ + "/" + listed.file;
  part->segment = std::make_unique<const HammingSegment<Code>>(path, spec_);
  if (part->segment->file().sum() != listed.sum || part->segment->index().size() != listed.entries) {
    throw Error(ErrorCode::kInput, fmt::format("'{}': it is not the file that the MANIFEST of its folder lists", path));
  }
  part->born = listed.born;
  part->listed = listed;
  return part;
}

template <typename Code>
void OpenHammingStore<Code>::require_writing() const {
  if (!lock_) throw Error(ErrorCode::kUsage, fmt::format("the index '{}' is open for reading", folder_));
}

template <typename Code>
void OpenHammingStore<Code>::require_writing(bool named) const {
  require_writing();
  if (named == spec_.names) return;
  const char* why = named ? "has no names, but an entry has one" : "has names and assigns the ids, but an entry has no name";
  throw Error(ErrorCode::kUsage, fmt::format("the index '{}' {}", folder_, why));
}

template <typename Code>
uint64_t OpenHammingStore<Code>::take_id() {
  uint64_t next = next_id_.load();
  do {
    if (next == UINT64_MAX) throw Error(ErrorCode::kUsage, fmt::format("the index '{}' has no free ids: {} is in use", folder_, next - 1));
  } while (!next_id_.compare_exchange_weak(next, next + 1));
  return next;
}

template <typename Code>
void OpenHammingStore<Code>::note_id(uint64_t id) {
  if (id == UINT64_MAX) throw Error(ErrorCode::kUsage, fmt::format("an id of {}; expected at most {}", id, UINT64_MAX - 1));
  uint64_t next = next_id_.load();
  while (next <= id && !next_id_.compare_exchange_weak(next, id + 1)) {
  }
}

template <typename Code>
void OpenHammingStore<Code>::add(Code code, uint64_t id, std::string_view name) {
  const std::lock_guard writing(writers_);
  {
    const std::unique_lock lock(seen_);
    if (spec_.names) names_[id] = name;
    view_.tail.add(code, id, clock_);
  }
  if (view_.tail.size() >= HammingTail<Code>::kMaxEntries) pack_tail();
}

template <typename Code>
void OpenHammingStore<Code>::remove(uint64_t id) {
  const std::lock_guard writing(writers_);
  if (id >= next_id_) return;
  const std::unique_lock lock(seen_);
  view_.removals.add(id, ++clock_);
  names_.erase(id);
}

template <typename Code>
void OpenHammingStore<Code>::gather(size_t from_level, std::vector<Code>& codes, std::vector<uint64_t>& ids) const {
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

// Makes a level of the tail and of all levels that are not larger than what they are merged with: so every entry is indexed a logarithmic
// number of times, and the number of levels is logarithmic.
template <typename Code>
void OpenHammingStore<Code>::pack_tail() {
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

template <typename Code>
void OpenHammingStore<Code>::flush(const HammingStoreBuild& build) {
  const std::lock_guard writing(writers_);
  flush_locked(build);
}

template <typename Code>
HammingManifest OpenHammingStore<Code>::next_manifest(std::vector<ListedSegment> segments) const {
  HammingManifest next{.spec = spec_, .next_id = next_id_, .clock = clock_, .next_segment = next_segment_};
  uint64_t born = UINT64_MAX;
  for (const ListedSegment& segment : segments) born = std::min(born, segment.born);
  Removals removals = view_.removals;
  removals.forget(born);
  next.removals = removals.list();
  next.segments = std::move(segments);
  return next;
}

template <typename Code>
void OpenHammingStore<Code>::write_manifest(HammingManifest next) {
  next.write(folder_);
  disk_ = std::move(next);
  if (building_) building_->finish();
  building_.reset();
}

template <typename Code>
void OpenHammingStore<Code>::flush_locked(const HammingStoreBuild& build) {
  if (!building_ && view_.unflushed() == 0 && clock_ == disk_.clock && next_id_ == disk_.next_id) return;
  std::vector<Code> codes;
  std::vector<uint64_t> ids;
  gather(0, codes, ids);
  std::vector<ListedSegment> segments = disk_.segments;
  HammingPartPointer<Code> part;
  std::optional<FileGuard> file;
  if (!codes.empty()) {
    ListedSegment listed{segment_name(next_segment_++), 0, clock_, codes.size()};
    file.emplace(folder_ + "/" + listed.file);
    WriteNames write_names;
    if (spec_.names) {
      write_names = [&](NameWriter& writer) {
        std::vector<uint64_t> sorted = ids;
        std::ranges::sort(sorted);
        for (const uint64_t id : sorted) writer.add(id, names_.at(id));
      };
    }
    listed.sum = write_hamming_segment<Code>(folder_ + "/" + listed.file, spec_, codes, ids, write_names, build).sum;
    part = open_segment(listed);
    segments.push_back(std::move(listed));
  }
  // Allocates memory before writing the manifest: afterwards the view must be updated to match the disk.
  std::vector<HammingPartPointer<Code>> parts = view_.segments;
  if (part) parts.push_back(std::move(part));
  std::vector<HammingPartPointer<Code>> levels;
  HammingTail<Code> tail;
  std::unordered_map<uint64_t, std::string> names;
  write_manifest(next_manifest(std::move(segments)));
  if (file) file->keep();

  const std::unique_lock lock(seen_);
  std::swap(view_.segments, parts);
  std::swap(view_.levels, levels);
  std::swap(view_.tail, tail);
  std::swap(names_, names);
  forget_removals(view_);
}

template <typename Code>
typename OpenHammingStore<Code>::Snapshot OpenHammingStore<Code>::flush_and_snapshot(const HammingStoreBuild& build) {
  const std::lock_guard writing(writers_);
  flush_locked(build);
  return {view_.segments, view_.removals, clock_};
}

template <typename Code>
std::string OpenHammingStore<Code>::new_segment() {
  const std::lock_guard writing(writers_);
  return segment_name(next_segment_++);
}

template <typename Code>
void OpenHammingStore<Code>::publish(const std::optional<std::string>& name, std::optional<uint64_t> born,
                                     const std::vector<HammingPartPointer<Code>>& replaced, const HammingStoreBuild& build) {
  std::optional<FileGuard> file;
  if (name) file.emplace(folder_ + "/" + *name);
  // Checks the merged segments: they must have been intact the whole time.
  for (const auto& part : replaced) part->segment->file().check();
  const std::lock_guard writing(writers_);
  // Only for entries in memory: the manifest below covers everything else, and a new store must appear with this segment or not at all.
  if (view_.unflushed() > 0) flush_locked(build);
  std::vector<HammingPartPointer<Code>> parts;
  std::ranges::copy_if(view_.segments, std::back_inserter(parts),
                       [&](const auto& part) { return std::ranges::find(replaced, part) == replaced.end(); });
  if (name) {
    const std::string path = folder_ + "/" + *name;
    const auto written = SegmentFile::open(path, "hamming", Code::kBits);
    parts.push_back(open_segment({*name, written->sum(), born.value_or(clock_), written->entries()}));
  }
  std::vector<ListedSegment> segments;
  segments.reserve(parts.size());
  for (const auto& part : parts) segments.push_back(part->listed);
  std::vector<std::string> obsolete;  // named before the manifest, as in flush_locked()
  for (const auto& part : replaced) obsolete.push_back(folder_ + "/" + part->listed.file);
  write_manifest(next_manifest(std::move(segments)));
  if (file) file->keep();
  for (const std::string& path : obsolete) ::unlink(path.c_str());  // the next writer removes what cannot be removed now
  const std::unique_lock lock(seen_);
  std::swap(view_.segments, parts);
  forget_removals(view_);
}

template class OpenHammingStore<Fingerprint64>;
template class OpenHammingStore<Fingerprint128>;

}  // namespace neardup
