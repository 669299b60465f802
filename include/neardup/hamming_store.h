// HammingStore: a Hamming index in a folder, that grows and shrinks.
//
//   auto store = neardup::HammingStore64::create("index", {.bits = 64, .radius = 3});
//   const uint64_t id = store.add({0x9f3c2b1a00ff1234});
//   store.query({0x9f3c2b1a00ff1230}, 3, scratch, hits);   // finds it at once
//   store.flush();                                         // and now it is on the disk
//
// The folder holds immutable segments, which are mapped and never changed, the file MANIFEST, which lists them, and LOCK. What was added or
// removed since the last flush() lives in memory, in small indexes of its own, and is lost without flush(); whoever opens the folder sees
// the state of the last flush(), bulk commit or merge(), whatever happened to the process that wrote. Answers are exact, as those of
// HammingIndex are, and do not depend on how the entries are spread over segments and memory.
//
// An entry is a code and an id. An id may have several entries; remove() takes all that it has at that moment, and it may be added again
// afterwards. A store that was created with names gives the ids itself, and every one has a name, such as the id of a document.
//
// One process at a time may write (open it with kWrite), any number may read; a reader sees the state that it opened.
// Thread rule: everything may be called from any number of threads, each with a scratch of its own. Every call sees one state of the store:
// all that returned before it began. Queries go on while others add, flush or merge; they wait only while pointers are swapped. Those who
// add, remove or flush wait for one another. A moved-from object may only be assigned to or destroyed.
//
// Formats: docs/formats.md. How it works: src/store/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/fingerprint.h"
#include "neardup/hamming_index.h"
#include "neardup/stop.h"

namespace neardup {

/// What a store is of; fixed when it is created.
struct HammingStoreSpec {
  uint32_t bits = 64;       ///< of the codes: 64 or 128
  uint32_t radius = 3;      ///< the largest that queries may ask for
  uint64_t recipe_id = 0;   ///< that the codes are made by; 0: not known
  std::string recipe = {};  ///< its canonical JSON, or empty
  bool names = false;       ///< every id has a name
  friend bool operator==(const HammingStoreSpec&, const HammingStoreSpec&) = default;
};

struct HammingSegmentStat {
  std::string file;       ///< its name in the folder
  uint64_t bytes = 0;     ///< of the file
  uint64_t entries = 0;   ///< removed ones among them
  uint64_t distinct = 0;  ///< different codes
  std::string plan;       ///< its tables: "27+1 27+1" are two of 27 bits with 1 flip each; empty: none
};
struct HammingStoreStat {
  std::string folder;
  HammingStoreSpec spec;
  std::vector<HammingSegmentStat> segments;
  uint64_t entries = 0;      ///< of all segments and of the memory, removed ones among them until a merge
  uint64_t removed_ids = 0;  ///< that entries are still there of, as far as is known without looking for them
  uint64_t unflushed = 0;    ///< entries in memory
  uint64_t next_id = 0;      ///< larger than all ids that were ever used
};

/// What there is where a store may be. Looks at names and at a few bytes, not at whether the store is sound.
enum class HammingStorePlace {
  kNothing,
  kFile,  ///< no folder
  kOtherFolder,
  kUnfinished,  ///< a store that is being built, or whose build was killed; nothing can be opened
  kStore,
};
/// Throws Error{kInput} when the system cannot tell, as when a disk fails.
HammingStorePlace find_hamming_store(const std::string& path);

/// For opening what it is not yet known of: the spec of the store in the folder. Throws Error{kInput} when there is none.
HammingStoreSpec hamming_store_spec(const std::string& folder);
/// True if it is a store into which nothing ever came: create() takes it over.
bool hamming_store_unused(const std::string& folder);

/// How a segment is built.
struct HammingStoreBuild {
  uint32_t threads = 0;       ///< 0: all cores
  uint64_t memory = 0;        ///< more than this is sorted in parts; 0: no bound
  std::string temp_dir = {};  ///< of what is too large for memory; empty: that of the system
  StopFunction stop = {};     ///< asked from any thread: neardup/stop.h; after Error{kStopped} nothing has changed, see merge()
};

/// What queries write on, as HammingScratch. Not to be shared by threads.
struct HammingStoreScratch {
  HammingScratch index;
  std::vector<HammingHit> hits;
};

enum class HammingAccess { kRead, kWrite };

template <typename Code>
class HammingBulk;

template <typename Code>  // Fingerprint64 or Fingerprint128
class HammingStore {
 public:
  /// A new, empty store that is open for writing. The folder is made if it does not exist. It can be opened by others from the first
  /// flush(), bulk commit or merge() on; a store that goes before leaves nothing, and what a killed process leaves, the next create() takes
  /// over. Throws Error{kUsage} for a spec that makes no sense, Error{kOutput} when the folder holds a store already (unless it is unused),
  /// or other files, or cannot be written.
  static HammingStore create(const std::string& folder, const HammingStoreSpec& spec);
  /// Reads no more than the ends of the files: milliseconds, whatever their size. Blocks are verified when they are first used. Throws
  /// Error{kInput} when it is not a store, one of another version, or damaged; Error{kUsage} when its codes are not of this width, and
  /// Error{kOutput} when another process writes it.
  static HammingStore open(const std::string& folder, HammingAccess access);
  /// What was not flushed is lost.
  ~HammingStore();
  HammingStore(HammingStore&&) noexcept;
  HammingStore& operator=(HammingStore&&) noexcept;

  [[nodiscard]] const HammingStoreSpec& spec() const noexcept;
  /// Throws Error{kUsage} naming both, unless the codes are made by this recipe, or that is not known.
  void require_recipe(uint64_t recipe_id) const;

  // Queries: those of HammingIndex. They throw Error{kUsage} when the radius is larger than that of the spec, and Error{kInput}, naming
  // file and block, when a file is damaged.

  void query(Code code, uint32_t radius, HammingStoreScratch& scratch, std::vector<HammingHit>& hits) const;
  void nearest(Code code, size_t max_hits, uint32_t radius, HammingStoreScratch& scratch, std::vector<HammingHit>& hits) const;
  [[nodiscard]] uint64_t count(Code code, uint32_t radius, HammingStoreScratch& scratch) const;
  /// All queries see the state of the store at the beginning of the call.
  using VisitHits = typename HammingIndex<Code>::VisitHits;
  void query_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitHits& visit) const;
  /// The same of nearest() and count(), in the same order. There is room for all hits of one query a thread, however many codes there are.
  void nearest_all(std::span<const Code> codes, size_t max_hits, uint32_t radius, uint32_t threads, const VisitHits& visit) const;
  using VisitCount = std::function<void(size_t query, uint64_t neighbours)>;
  void count_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitCount& visit) const;

  /// Of an id of a store with names, unless it is removed or unknown.
  [[nodiscard]] std::optional<std::string> name(uint64_t id) const;
  /// Goes through all names: calls visit(position in `names`, id) for every id that has one of them.
  void find_names(std::span<const std::string> names, const std::function<void(size_t position, uint64_t id)>& visit) const;

  // Changes, seen by queries at once, on the disk after flush(). All throw Error{kUsage} when the store is open for reading.

  /// With the next id, which is returned. Not in a store with names. Throws Error{kUsage} when the ids, up to 2^64 - 2, are used up.
  uint64_t add(Code code);
  /// With an id of the caller, below 2^64 - 1, which may have other entries already. Not in a store with names.
  void add(Code code, uint64_t id);
  /// With the next id and this name (any bytes). Only in a store with names.
  uint64_t add(Code code, std::string_view name);
  /// Removes all entries of the id; no error if it has none.
  void remove(uint64_t id);

  /// Writes what is in memory as a new segment, and what was removed. Throws Error{kOutput}; then nothing is lost, and it can be called
  /// again.
  void flush(const HammingStoreBuild& build = {});
  /// Flushes, then makes one segment out of the smallest so that at most `max_segments` remain, without what was removed. Others may add
  /// and flush meanwhile. If it throws, what it flushed stays flushed; answers are the same and no segment is gone.
  void merge(size_t max_segments = 1, const HammingStoreBuild& build = {});

  [[nodiscard]] HammingStoreStat stat() const;
  /// Verifies every block of every segment. Throws Error{kInput} that names the first damaged one.
  void verify(uint32_t threads = 0) const;

 private:
  friend class HammingBulk<Code>;
  struct Impl;
  explicit HammingStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Many entries at once: they go to temporary files and become one segment, however little memory there is. Queries see them after
/// commit(), which puts them on the disk, together with what the store has in memory; without it, nothing has happened. The store stays
/// usable meanwhile and outlives it. After a commit() that threw, its entries are lost, and add() and commit() throw Error{kUsage}: who
/// tries again does so with a new one. For one thread.
template <typename Code>
class HammingBulk {
 public:
  explicit HammingBulk(HammingStore<Code>& store, const HammingStoreBuild& build = {});
  ~HammingBulk();
  HammingBulk(HammingBulk&&) noexcept;
  HammingBulk& operator=(HammingBulk&&) noexcept;

  // As those of the store.
  uint64_t add(Code code);
  void add(Code code, uint64_t id);
  uint64_t add(Code code, std::string_view name);

  [[nodiscard]] uint64_t size() const noexcept;  ///< entries added
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

using HammingStore64 = HammingStore<Fingerprint64>;
using HammingStore128 = HammingStore<Fingerprint128>;
extern template class HammingStore<Fingerprint64>;
extern template class HammingStore<Fingerprint128>;
extern template class HammingBulk<Fingerprint64>;
extern template class HammingBulk<Fingerprint128>;

}  // namespace neardup
