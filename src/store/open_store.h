// OpenStore: the state of an index folder while it is open, for reading or for writing: what queries see, and how it changes in memory and
// on disk. The same for all kinds of index.
//
// Three locks, taken in this order:
//   merging   one merge at a time;
//   writers   one change at a time; held while segments are flushed;
//   seen      guards what queries see; held exclusively only to swap pointers or to append to what is in memory.
// A query holds `seen` (shared) while it runs, so it sees one state; longer operations copy the view and release the lock.
//
// The state on disk (disk_, the last manifest) changes only by change_locked(), from one consistent state to the next: every write
// includes all earlier additions and removals.
//
// A Kind says what is particular to a kind of index:
//   Spec                                        one of StoreSpec
//   Segment                                     a type that has file()
//   View                                        StoreView<Segment>, or derived from it with what is in memory
//   spec_of(manifest, folder)                   its spec; throws Error{kUsage} when it is of another kind
//   open_segment(path, spec)                    a unique_ptr; throws Error{kInput}
//   entries(segment)                            as ListedSegment::entries
// A kind with entries in memory derives from OpenStore and overrides flush_locked().
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "neardup/error.h"
#include "store/fair_mutex.h"
#include "store/folder_lock.h"
#include "store/new_folder.h"
#include "store/removals.h"
#include "store/segment_writer.h"
#include "store/store_build.h"
#include "store/store_folder.h"
#include "store/store_view.h"

namespace neardup {

/// A segment that was written to the folder and is not listed yet.
struct NewSegment {
  std::string file;  ///< from new_segment()
  WrittenSegment written;
};

template <typename Kind>
class OpenStore {
 public:
  using Spec = typename Kind::Spec;
  using Segment = typename Kind::Segment;
  using View = typename Kind::View;
  using PartPointer = StorePartPointer<Segment>;

  /// Opens what is in the folder. Without `lock`, for reading.
  OpenStore(std::string folder, std::unique_ptr<FolderLock> lock);
  /// A new store, which appears on disk with the first manifest.
  OpenStore(std::string folder, const Spec& spec, std::unique_ptr<NewFolder> building);
  virtual ~OpenStore() = default;
  OpenStore(const OpenStore&) = delete;
  OpenStore& operator=(const OpenStore&) = delete;

  /// The lock for writing in an existing store of this kind; other folders are not touched.
  static std::unique_ptr<FolderLock> lock_existing(const std::string& folder) {
    Kind::spec_of(StoreManifest::read(folder), folder);
    return std::make_unique<FolderLock>(folder);
  }

  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }
  [[nodiscard]] uint64_t next_id() const noexcept { return next_id_.load(); }

  /// Calls look(view) under the lock.
  template <typename Look>
  auto see(const Look& look) const {
    const std::shared_lock lock(seen_);
    return look(view_);
  }
  /// A copy of the current view, for work too long to hold the lock.
  [[nodiscard]] View view() const {
    return see([](const View& view) { return view; });
  }

  /// Throws Error{kUsage} unless the store is open for writing.
  void require_writing() const;
  /// Reserves `count` new ids, and returns the first.
  uint64_t take_ids(uint64_t count);
  /// Reserves a given id.
  void note_id(uint64_t id);

  void remove(uint64_t id) {
    remove(id, [] {});
  }
  void flush(const StoreBuild& build) {
    const std::lock_guard writing(writers_);
    flush_locked(build);
  }

  /// For merges: flushes, then returns the segments and the removals of that moment, which is `time`.
  struct Snapshot {
    std::vector<PartPointer> segments;
    Removals removals;
    uint64_t time = 0;
  };
  Snapshot flush_and_snapshot(const StoreBuild& build) {
    const std::lock_guard writing(writers_);
    flush_locked(build);
    return {view_.segments, view_.removals, clock_};
  }
  /// The file name of a new segment.
  std::string new_segment() {
    const std::lock_guard writing(writers_);
    return segment_name(next_segment_++);
  }
  /// Opens `added` (none: nullopt), and replaces `replaced` by it, born now or, if given, at `born`; removes their files. Flushes entries
  /// in memory first. If it throws, the new file is removed and nothing has changed.
  void publish(const std::optional<NewSegment>& added, std::optional<uint64_t> born, const std::vector<PartPointer>& replaced,
               const StoreBuild& build);

  std::mutex& merging() noexcept { return merging_; }

 protected:
  /// Removes the file unless keep() was called.
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

  // Those named locked require writers_.

  /// Writes everything that is not on the disk: entries in memory, removals, ids.
  virtual void flush_locked(const StoreBuild&) { flush_manifest_locked(); }
  void flush_manifest_locked() {
    std::optional<FileGuard> none;
    if (building_ || clock_ != disk_.clock || next_id_ != disk_.next_id) change_locked({}, none, {}, [] {});
  }
  /// Writes the manifest that lists all segments except `replaced`, and `added` (null: none), whose file it keeps; removes the files of
  /// `replaced`; shows the new segments to queries and, with them, what show() changes: it is called with `seen` held and must not throw.
  /// If it throws, nothing has changed.
  template <typename Show>
  void change_locked(PartPointer added, std::optional<FileGuard>& file, const std::vector<PartPointer>& replaced, const Show& show);
  /// also() is called with `seen` held if the id was ever used.
  template <typename Also>
  void remove(uint64_t id, const Also& also);
  [[nodiscard]] std::string path_of(const std::string& file) const { return folder_ + "/" + file; }
  [[nodiscard]] PartPointer open_segment(const ListedSegment& listed) const;

 private:
  [[nodiscard]] StoreManifest next_manifest(std::vector<ListedSegment> segments) const;
  void write_manifest(StoreManifest next);

  std::string folder_;
  Spec spec_;
  std::unique_ptr<FolderLock> lock_;  // null: for reading
  // Until there is a manifest; guarded by writers_. Destroyed before the lock, which protects what it removes.
  std::unique_ptr<NewFolder> building_;
  std::atomic<uint64_t> next_id_ = 0;

  std::mutex merging_;
  StoreManifest disk_;  // guarded by writers_

 protected:
  std::mutex writers_;
  uint64_t clock_ = 0;         // guarded by writers_
  uint64_t next_segment_ = 1;  // guarded by writers_

  mutable FairMutex seen_;
  // Changed only while holding writers_ and seen_.
  View view_;
};

template <typename Kind>
OpenStore<Kind>::OpenStore(std::string folder, const Spec& spec, std::unique_ptr<NewFolder> building)
    : folder_(std::move(folder)), spec_(spec), lock_(building->take_lock()), building_(std::move(building)), disk_{.spec = spec} {
  sweep_folder(folder_, disk_);
}

template <typename Kind>
OpenStore<Kind>::OpenStore(std::string folder, std::unique_ptr<FolderLock> lock) : folder_(std::move(folder)), lock_(std::move(lock)) {
  constexpr int kAttempts = 20;
  for (int attempt = 0;; ++attempt) {
    disk_ = StoreManifest::read(folder_);
    spec_ = Kind::spec_of(disk_, folder_);
    view_.segments.clear();
    try {
      for (const ListedSegment& segment : disk_.segments) view_.segments.push_back(open_segment(segment));
      break;
    } catch (const Error&) {
      // A merge may have removed the segments after the manifest was read; then there is a new manifest.
      if (lock_ || attempt == kAttempts || StoreManifest::read(folder_) == disk_) throw;
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

template <typename Kind>
typename OpenStore<Kind>::PartPointer OpenStore<Kind>::open_segment(const ListedSegment& listed) const {
  auto part = std::make_shared<StorePart<Segment>>();
  const std::string path = path_of(listed.file);
  part->segment = Kind::open_segment(path, spec_);
  if (part->segment->file().sum() != listed.sum || Kind::entries(*part->segment) != listed.entries) {
    throw Error(ErrorCode::kInput, fmt::format("'{}': it is not the file that the MANIFEST of its folder lists", path));
  }
  part->born = listed.born;
  part->listed = listed;
  return part;
}

template <typename Kind>
void OpenStore<Kind>::require_writing() const {
  if (!lock_) throw Error(ErrorCode::kUsage, fmt::format("the index '{}' is open for reading", folder_));
}

template <typename Kind>
uint64_t OpenStore<Kind>::take_ids(uint64_t count) {
  uint64_t next = next_id_.load();
  do {
    if (next == UINT64_MAX) throw Error(ErrorCode::kUsage, fmt::format("the index '{}' has no free ids: {} is in use", folder_, next - 1));
    if (count > UINT64_MAX - next) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the index '{}' has {} free ids; {} more entries do not fit", folder_, UINT64_MAX - next, count));
    }
  } while (!next_id_.compare_exchange_weak(next, next + count));
  return next;
}

template <typename Kind>
void OpenStore<Kind>::note_id(uint64_t id) {
  if (id == UINT64_MAX) throw Error(ErrorCode::kUsage, fmt::format("an id of {}; expected at most {}", id, UINT64_MAX - 1));
  uint64_t next = next_id_.load();
  while (next <= id && !next_id_.compare_exchange_weak(next, id + 1)) {
  }
}

template <typename Kind>
template <typename Also>
void OpenStore<Kind>::remove(uint64_t id, const Also& also) {
  const std::lock_guard writing(writers_);
  if (id >= next_id_) return;
  const std::unique_lock lock(seen_);
  view_.removals.add(id, ++clock_);
  also();
}

template <typename Kind>
StoreManifest OpenStore<Kind>::next_manifest(std::vector<ListedSegment> segments) const {
  StoreManifest next{.spec = spec_, .next_id = next_id_, .clock = clock_, .next_segment = next_segment_};
  uint64_t born = UINT64_MAX;
  for (const ListedSegment& segment : segments) born = std::min(born, segment.born);
  Removals removals = view_.removals;
  removals.forget(born);
  next.removals = removals.list();
  next.segments = std::move(segments);
  return next;
}

template <typename Kind>
void OpenStore<Kind>::write_manifest(StoreManifest next) {
  next.write(folder_);
  disk_ = std::move(next);
  if (building_) building_->finish();
  building_.reset();
}

template <typename Kind>
template <typename Show>
void OpenStore<Kind>::change_locked(PartPointer added, std::optional<FileGuard>& file, const std::vector<PartPointer>& replaced,
                                    const Show& show) {
  // Allocates memory before writing the manifest: afterwards the view must be updated to match the disk.
  std::vector<PartPointer> parts;
  std::ranges::copy_if(view_.segments, std::back_inserter(parts),
                       [&](const PartPointer& part) { return std::ranges::find(replaced, part) == replaced.end(); });
  if (added) parts.push_back(std::move(added));
  std::vector<ListedSegment> segments;
  segments.reserve(parts.size());
  for (const PartPointer& part : parts) segments.push_back(part->listed);
  std::vector<std::string> obsolete;
  obsolete.reserve(replaced.size());
  for (const PartPointer& part : replaced) obsolete.push_back(path_of(part->listed.file));
  write_manifest(next_manifest(std::move(segments)));
  if (file) file->keep();
  for (const std::string& path : obsolete) ::unlink(path.c_str());  // the next writer removes what cannot be removed now

  const std::unique_lock lock(seen_);
  std::swap(view_.segments, parts);
  show();
  // Forgets removals that affect nothing any more.
  try {
    view_.removals.forget(view_.earliest_born());
  } catch (const std::bad_alloc&) {  // the next change forgets them
  }
}

template <typename Kind>
void OpenStore<Kind>::publish(const std::optional<NewSegment>& added, std::optional<uint64_t> born,
                              const std::vector<PartPointer>& replaced, const StoreBuild& build) {
  std::optional<FileGuard> file;
  if (added) file.emplace(path_of(added->file));
  // Checks the merged segments: they must have been intact the whole time.
  for (const PartPointer& part : replaced) part->segment->file().check();
  const std::lock_guard writing(writers_);
  // Only for entries in memory: the manifest below covers everything else, and a new store must appear with this segment or not at all.
  if (view_.unflushed() > 0) flush_locked(build);
  PartPointer part;
  if (added) part = open_segment({added->file, added->written.sum, born.value_or(clock_), added->written.entries});
  change_locked(std::move(part), file, replaced, [] {});
}

}  // namespace neardup
