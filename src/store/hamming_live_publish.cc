// What HammingLive writes to the disk: what is in memory as a segment, and the next manifest.
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "store/hamming_live.h"

namespace neardup {
namespace {

template <typename Code>
uint64_t least_born(const HammingView<Code>& view) {
  uint64_t least = UINT64_MAX;
  for (const auto& part : view.segments) least = std::min(least, part->born);
  for (const auto& part : view.levels) least = std::min(least, part->born);
  for (const uint64_t born : view.tail.born) least = std::min(least, born);
  return least;
}

// Those that concern nothing any more.
template <typename Code>
void forget_removals(HammingView<Code>& view) noexcept {
  try {
    view.removals.forget(least_born(view));
  } catch (const std::bad_alloc&) {  // the next change forgets them
  }
}

// Removes the file unless all went well.
class FileGuard {
 public:
  explicit FileGuard(std::string path) : path_(std::move(path)) {}
  ~FileGuard() {
    if (!path_.empty()) ::unlink(path_.c_str());  // takes no memory, which may be what ran out
  }
  FileGuard(const FileGuard&) = delete;
  FileGuard& operator=(const FileGuard&) = delete;
  void keep() noexcept { path_.clear(); }

 private:
  std::string path_;
};

}  // namespace

template <typename Code>
void HammingLive<Code>::flush(const HammingStoreBuild& build) {
  const std::lock_guard writing(writers_);
  flush_locked(build);
}

template <typename Code>
HammingManifest HammingLive<Code>::next_manifest(std::vector<ListedSegment> segments) const {
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
void HammingLive<Code>::write_manifest(HammingManifest next) {
  next.write(folder_);
  disk_ = std::move(next);
  if (building_) building_->finish();
  building_.reset();
}

template <typename Code>
void HammingLive<Code>::flush_locked(const HammingStoreBuild& build) {
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
  // What takes memory comes before the manifest: after it, the view must become what the disk is.
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
typename HammingLive<Code>::Snapshot HammingLive<Code>::flush_and_look(const HammingStoreBuild& build) {
  const std::lock_guard writing(writers_);
  flush_locked(build);
  return {view_.segments, view_.removals, clock_};
}

template <typename Code>
std::string HammingLive<Code>::new_segment() {
  const std::lock_guard writing(writers_);
  return segment_name(next_segment_++);
}

template <typename Code>
void HammingLive<Code>::publish(const std::optional<std::string>& name, std::optional<uint64_t> born,
                                const std::vector<HammingPartPointer<Code>>& replaced, const HammingStoreBuild& build) {
  std::optional<FileGuard> file;
  if (name) file.emplace(folder_ + "/" + *name);
  // The new segment is made of them: they must have been whole all the time.
  for (const auto& part : replaced) part->segment->file().check();
  const std::lock_guard writing(writers_);
  // Only for entries in memory: the manifest below says everything else, and a new store is to appear with this segment or not at all.
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
  std::vector<std::string> gone;  // named before the manifest, as in flush_locked()
  for (const auto& part : replaced) gone.push_back(folder_ + "/" + part->listed.file);
  write_manifest(next_manifest(std::move(segments)));
  if (file) file->keep();
  for (const std::string& path : gone) ::unlink(path.c_str());  // what cannot be removed now is swept by the next writer
  const std::unique_lock lock(seen_);
  std::swap(view_.segments, parts);
  forget_removals(view_);
}

template void HammingLive<Fingerprint64>::flush(const HammingStoreBuild&);
template void HammingLive<Fingerprint128>::flush(const HammingStoreBuild&);
template void HammingLive<Fingerprint64>::flush_locked(const HammingStoreBuild&);
template void HammingLive<Fingerprint128>::flush_locked(const HammingStoreBuild&);
template void HammingLive<Fingerprint64>::write_manifest(HammingManifest);
template void HammingLive<Fingerprint128>::write_manifest(HammingManifest);
template HammingManifest HammingLive<Fingerprint64>::next_manifest(std::vector<ListedSegment>) const;
template HammingManifest HammingLive<Fingerprint128>::next_manifest(std::vector<ListedSegment>) const;
template HammingLive<Fingerprint64>::Snapshot HammingLive<Fingerprint64>::flush_and_look(const HammingStoreBuild&);
template HammingLive<Fingerprint128>::Snapshot HammingLive<Fingerprint128>::flush_and_look(const HammingStoreBuild&);
template std::string HammingLive<Fingerprint64>::new_segment();
template std::string HammingLive<Fingerprint128>::new_segment();
template void HammingLive<Fingerprint64>::publish(const std::optional<std::string>&, std::optional<uint64_t>,
                                                  const std::vector<HammingPartPointer<Fingerprint64>>&, const HammingStoreBuild&);
template void HammingLive<Fingerprint128>::publish(const std::optional<std::string>&, std::optional<uint64_t>,
                                                   const std::vector<HammingPartPointer<Fingerprint128>>&, const HammingStoreBuild&);

}  // namespace neardup
