// ClueStore: a clue index in a folder: texts with their anchors, in segments (clue_segment.h). Internal; questions are asked by search/.
//
//   ClueStore store = ClueStore::create("index", {.recipe_id = id, .recipe = json});
//   ClueBulk bulk(store);
//   bulk.add("name", text, anchors);
//   bulk.commit();                                       // and now it is on the disk, and views have it
//
// The folder, what a killed writer leaves, and who may write while others read are as for HammingStore (neardup/hamming_store.h). Texts are
// added by ClueBulk only, so nothing but removals waits in memory for flush(). Every text has a name and an id that the store assigns; ids
// ascend in the order of addition and are never used again.
//
// Thread rule: as for HammingStore. A moved-from object may only be assigned to or destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/anchors/anchors.h"
#include "store/clue/clue_segment.h"
#include "store/store_build.h"
#include "store/store_view.h"

namespace neardup {

struct ClueStoreSegmentStat {
  std::string file;           ///< its name in the folder
  uint64_t bytes = 0;         ///< of the file
  uint64_t texts = 0;         ///< including removed ones
  uint64_t postings = 0;      ///< anchors of texts
  uint64_t anchor_bytes = 0;  ///< of the image of the postings
};
struct ClueStoreStat {
  std::string folder;
  ClueStoreSpec spec;
  std::vector<ClueStoreSegmentStat> segments;
  uint64_t texts = 0;        ///< in all segments, including removed ones until a merge
  uint64_t removed_ids = 0;  ///< removed ids with texts left until a merge, as far as known without a search
  uint64_t next_id = 0;      ///< larger than all ids ever used
};

class ClueStore {
 public:
  using Part = StorePart<ClueSegment>;
  using View = StoreView<ClueSegment>;

  /// A new, empty store that is open for writing; as HammingStore::create().
  static ClueStore create(const std::string& folder, const ClueStoreSpec& spec);
  /// As HammingStore::open(). Throws Error{kUsage} when the folder is an index of another kind.
  static ClueStore open(const std::string& folder, StoreAccess access);
  /// Unflushed removals are lost.
  ~ClueStore();
  ClueStore(ClueStore&&) noexcept;
  ClueStore& operator=(ClueStore&&) noexcept;

  [[nodiscard]] const ClueStoreSpec& spec() const noexcept;
  [[nodiscard]] const std::string& folder() const noexcept;
  /// The segments and removals now. Texts that the removals kill must not be answered.
  [[nodiscard]] View view() const;

  /// Of an id, unless it is removed or unknown.
  [[nodiscard]] std::optional<std::string> name(uint64_t id) const;
  /// Scans all names: calls visit(position in `names`, id) for every id with one of them.
  void find_names(std::span<const std::string> names, const std::function<void(size_t position, uint64_t id)>& visit) const;

  // Changes. All throw Error{kUsage} when the store is open for reading.

  /// Removes the text with this id: from views at once, on the disk after flush(). No error if there is none.
  void remove(uint64_t id);
  /// Writes the removals, and makes a new store visible to others.
  void flush();
  /// Flushes, then merges the smallest segments so that at most `max_segments` remain, and drops removed texts. Others may add, remove and
  /// query meanwhile. If it throws, flushed changes stay flushed, answers are the same and no segment is lost. Throws Error{kUsage} when a
  /// segment would have more texts than fit.
  void merge(size_t max_segments = 1, const StoreBuild& build = {});

  [[nodiscard]] ClueStoreStat stat() const;
  /// Reads every segment whole (clue_segment_check.h), and checks that no id is in two. Throws Error{kInput} that names the file and what
  /// is wrong.
  void verify(uint32_t threads = 0) const;

 private:
  friend class ClueBulk;
  struct Impl;
  explicit ClueStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Adds many texts: they become one segment, in memory bounded by build.memory. Views have them after commit(); without it, nothing
/// changes. The store remains usable meanwhile and outlives it. After an add() or a commit() that failed, its texts are lost, and both
/// throw Error{kUsage}: retry with a new object. For one thread.
class ClueBulk {
 public:
  explicit ClueBulk(ClueStore& store, const StoreBuild& build = {});
  ~ClueBulk();
  ClueBulk(ClueBulk&&) noexcept;
  ClueBulk& operator=(ClueBulk&&) noexcept;

  /// Adds a text with its name, any bytes both, at most limits::kMaxTextBytes, and the anchors of its form. Returns its id. Throws
  /// Error{kUsage} when they are longer, and changes nothing then.
  uint64_t add(std::string_view name, std::string_view text, std::span<const Anchor> anchors);

  [[nodiscard]] uint64_t size() const noexcept;  ///< texts added
  /// Writes the segment and the removals so far. Texts may be added to another one afterwards.
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup
