// OpenHammingStore: the state of a HammingStore while it is open, for reading or for writing: what queries see, and how it changes in
// memory and on disk.
//
// Three locks, taken in this order:
//   merging   one merge at a time;
//   writers   one change at a time; held while levels are built and segments are flushed;
//   seen      guards what queries see; held exclusively only to swap pointers or to append to the tail.
// A query holds `seen` (shared) while it runs, so it sees one state; longer operations copy the view and release the lock.
//
// The state on disk (disk_, the last manifest) changes only by write_manifest(), from one consistent state to the next: every write
// includes all earlier additions and removals.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/fair_mutex.h"
#include "store/folder_lock.h"
#include "store/hamming_folder.h"
#include "store/hamming_view.h"
#include "store/new_folder.h"

namespace neardup {

template <typename Code>
class OpenHammingStore {
 public:
  /// Opens what is in the folder. Without `lock`, for reading.
  OpenHammingStore(std::string folder, std::unique_ptr<FolderLock> lock);
  /// A new store, which appears on disk with the first manifest.
  OpenHammingStore(std::string folder, HammingManifest manifest, std::unique_ptr<NewFolder> building);

  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  [[nodiscard]] const HammingStoreSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] uint64_t next_id() const noexcept { return next_id_.load(); }

  /// Calls look(view, names in memory) under the lock.
  template <typename Look>
  auto see(const Look& look) const {
    const std::shared_lock lock(seen_);
    return look(view_, names_);
  }

  /// A copy of the current view, for work too long to hold the lock.
  [[nodiscard]] HammingView<Code> view() const {
    return see([](const auto& view, const auto&) { return view; });
  }

  /// Throws Error{kUsage} unless the store is open for writing and names are given exactly if it has them.
  void require_writing(bool named) const;
  void require_writing() const;
  /// Reserves a new id, or a given one.
  uint64_t take_id();
  void note_id(uint64_t id);

  void add(Code code, uint64_t id, std::string_view name);
  void remove(uint64_t id);
  void flush(const HammingStoreBuild& build);

  /// For merges: flushes, then returns the segments and the removals of that moment, which is `time`.
  struct Snapshot {
    std::vector<HammingPartPointer<Code>> segments;
    Removals removals;
    uint64_t time = 0;
  };
  Snapshot flush_and_snapshot(const HammingStoreBuild& build);
  /// The file name of a new segment.
  std::string new_segment();
  /// Opens the segment with this file name (none: nullopt), and replaces `replaced` by it, born now or, if given, at `born`; removes their
  /// files. Flushes entries in memory first. If it throws, the new file is removed and nothing has changed.
  void publish(const std::optional<std::string>& name, std::optional<uint64_t> born, const std::vector<HammingPartPointer<Code>>& replaced,
               const HammingStoreBuild& build);

  std::mutex& merging() noexcept { return merging_; }

 private:
  [[nodiscard]] HammingPartPointer<Code> open_segment(const ListedSegment& listed) const;
  void flush_locked(const HammingStoreBuild& build);
  void pack_tail();
  /// The entries in memory that are not removed.
  void gather(size_t from_level, std::vector<Code>& codes, std::vector<uint64_t>& ids) const;
  HammingManifest next_manifest(std::vector<ListedSegment> segments) const;
  void write_manifest(HammingManifest next);

  std::string folder_;
  HammingStoreSpec spec_;
  std::unique_ptr<FolderLock> lock_;  // null: for reading
  // Until there is a manifest; guarded by writers_. Destroyed before the lock, which protects what it removes.
  std::unique_ptr<NewFolder> building_;
  std::atomic<uint64_t> next_id_ = 0;

  std::mutex merging_;
  std::mutex writers_;
  // Guarded by writers_.
  HammingManifest disk_;
  uint64_t clock_ = 0;
  uint64_t next_segment_ = 1;

  mutable FairMutex seen_;
  // Changed only while holding writers_ and seen_.
  HammingView<Code> view_;
  std::unordered_map<uint64_t, std::string> names_;  // of the entries in memory
};

extern template class OpenHammingStore<Fingerprint64>;
extern template class OpenHammingStore<Fingerprint128>;

}  // namespace neardup
