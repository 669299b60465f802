// HammingStore: a Hamming index in a folder, with additions and removals.
//
//   auto store = neardup::HammingStore64::create("index", {.bits = 64, .radius = 3});
//   const uint64_t id = store.add({0x9f3c2b1a00ff1234});
//   store.query({0x9f3c2b1a00ff1230}, 3, scratch, hits);   // finds it at once
//   store.flush();                                         // and now it is on the disk
//
// The folder holds immutable segments, which are mapped and never changed, the file MANIFEST, which lists them, and LOCK. Additions and
// removals since the last flush() are in memory, in small separate indexes, and are lost without flush(); opening the folder shows the
// state of the last flush(), bulk commit or merge(), whatever happened to the writing process. Answers are exact, as those of HammingIndex
// are, and do not depend on how the entries are spread over segments and memory.
//
// An entry is a code and an id. An id may have several entries; remove() removes all its current entries; the id may be added again
// afterwards. A store with names assigns the ids itself, and every id has a name, such as the id of a document.
//
// One process at a time may write (open it with kWrite), any number may read; a reader sees the state that it opened. Thread rule:
// everything may be called from any number of threads, each with a scratch of its own. Every call sees one state of the store: all calls
// that returned before it began. Queries continue while others add, flush or merge; they wait only while pointers are swapped. Calls that
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

/// The properties of a store; fixed when it is created.
struct HammingStoreSpec {
  uint32_t bits = 64;       ///< of the codes: 64 or 128
  uint32_t radius = 3;      ///< the largest that queries may ask for
  uint64_t recipe_id = 0;   ///< of the codes; 0: unknown
  std::string recipe = {};  ///< its canonical JSON, or empty
  bool names = false;       ///< every id has a name
  friend bool operator==(const HammingStoreSpec&, const HammingStoreSpec&) = default;
};

struct HammingSegmentStat {
  std::string file;       ///< its name in the folder
  uint64_t bytes = 0;     ///< of the file
  uint64_t entries = 0;   ///< including removed ones
  uint64_t distinct = 0;  ///< different codes
  std::string plan;       ///< its tables: "27+1 27+1" are two of 27 bits with 1 flip each; empty: none
};
struct HammingStoreStat {
  std::string folder;
  HammingStoreSpec spec;
  std::vector<HammingSegmentStat> segments;
  uint64_t entries = 0;      ///< in all segments and in memory, including removed ones until a merge
  uint64_t removed_ids = 0;  ///< removed ids with entries left until a merge, as far as known without a search
  uint64_t unflushed = 0;    ///< entries in memory
  uint64_t next_id = 0;      ///< larger than all ids ever used
};

/// What the path of a store holds. Checks names and a few bytes, not whether the store is intact.
enum class HammingStorePlace {
  kNothing,
  kFile,  ///< no folder
  kOtherFolder,
  kUnfinished,  ///< a store that is being built, or whose build was killed; it cannot be opened
  kStore,
};
/// Throws Error{kInput} when the system cannot tell, as when a disk fails.
HammingStorePlace find_hamming_store(const std::string& path);

/// The spec of the store in the folder, for opening a store of unknown width. Throws Error{kInput} when there is none.
HammingStoreSpec hamming_store_spec(const std::string& folder);
/// True if it is a store that was never filled: create() takes it over.
bool hamming_store_unused(const std::string& folder);

/// Options for building a segment.
struct HammingStoreBuild {
  uint32_t threads = 0;       ///< 0: all cores
  uint64_t memory = 0;        ///< more than this is sorted in parts; 0: no bound
  std::string temp_dir = {};  ///< for data that exceed the memory; empty: that of the system
  StopFunction stop = {};     ///< asked from any thread: neardup/stop.h; after Error{kStopped} nothing has changed, see merge()
};

/// Scratch memory of queries, as HammingScratch. Threads must not share it.
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
  /// A new, empty store that is open for writing. Creates the folder if it does not exist. Others can open the store from the first
  /// flush(), bulk commit or merge() on; a store destroyed before leaves nothing, and the next create() takes over what a killed process
  /// left. Throws Error{kUsage} for an invalid spec, Error{kOutput} when the folder already holds a store (unless it is unused) or other
  /// files, or cannot be written.
  static HammingStore create(const std::string& folder, const HammingStoreSpec& spec);
  /// Reads only the ends of the files: milliseconds for any size. Blocks are verified when they are first used. Throws Error{kInput} when
  /// it is not a store, one of another version, or damaged; Error{kUsage} when its codes are not of this width, and Error{kOutput} when
  /// another process writes it.
  static HammingStore open(const std::string& folder, HammingAccess access);
  /// Unflushed changes are lost.
  ~HammingStore();
  HammingStore(HammingStore&&) noexcept;
  HammingStore& operator=(HammingStore&&) noexcept;

  [[nodiscard]] const HammingStoreSpec& spec() const noexcept;
  /// Throws Error{kUsage} naming both recipes, unless the codes are of this recipe, or of an unknown one.
  void require_recipe(uint64_t recipe_id) const;

  // Queries: those of HammingIndex. They throw Error{kUsage} when the radius is larger than that of the spec, and Error{kInput}, naming
  // file and block, when a file is damaged.

  void query(Code code, uint32_t radius, HammingStoreScratch& scratch, std::vector<HammingHit>& hits) const;
  void nearest(Code code, size_t max_hits, uint32_t radius, HammingStoreScratch& scratch, std::vector<HammingHit>& hits) const;
  [[nodiscard]] uint64_t count(Code code, uint32_t radius, HammingStoreScratch& scratch) const;
  /// All queries see the state of the store at the beginning of the call.
  using VisitHits = typename HammingIndex<Code>::VisitHits;
  void query_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitHits& visit) const;
  /// The same of nearest() and count(), in the same order. Each thread holds the hits of one query, however many codes there are.
  void nearest_all(std::span<const Code> codes, size_t max_hits, uint32_t radius, uint32_t threads, const VisitHits& visit) const;
  using VisitCount = std::function<void(size_t query, uint64_t neighbours)>;
  void count_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitCount& visit) const;

  /// Of an id of a store with names, unless it is removed or unknown.
  [[nodiscard]] std::optional<std::string> name(uint64_t id) const;
  /// Scans all names: calls visit(position in `names`, id) for every id with one of them.
  void find_names(std::span<const std::string> names, const std::function<void(size_t position, uint64_t id)>& visit) const;

  // Changes, seen by queries at once, on the disk after flush(). All throw Error{kUsage} when the store is open for reading.

  /// Adds an entry with the next id, which is returned. Not in a store with names. Throws Error{kUsage} when the ids, up to 2^64 - 2, are
  /// used up.
  uint64_t add(Code code);
  /// Adds an entry with the caller's id, below 2^64 - 1, which may already have entries. Not in a store with names.
  void add(Code code, uint64_t id);
  /// Adds an entry with the next id and this name (any bytes). Only in a store with names.
  uint64_t add(Code code, std::string_view name);
  /// Removes all entries of the id; no error if it has none.
  void remove(uint64_t id);

  /// Writes the entries in memory as a new segment, and the removals. Throws Error{kOutput}; then nothing is lost, and it can be called
  /// again.
  void flush(const HammingStoreBuild& build = {});
  /// Flushes, then merges the smallest segments so that at most `max_segments` remain, and drops removed entries. Others may add and flush
  /// meanwhile. If it throws, flushed entries stay flushed, answers are the same and no segment is lost.
  void merge(size_t max_segments = 1, const HammingStoreBuild& build = {});

  [[nodiscard]] HammingStoreStat stat() const;
  /// Verifies every block of every segment, and reads its entries and names. Throws Error{kInput} that names the file and what is wrong.
  void verify(uint32_t threads = 0) const;

 private:
  friend class HammingBulk<Code>;
  struct Impl;
  explicit HammingStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Adds many entries at once: they go to temporary files and become one segment, in bounded memory. Queries see them after commit(), which
/// writes them to disk together with the entries in memory; without it, nothing changes. The store remains usable meanwhile and outlives
/// it. After a commit() that threw, its entries are lost, and add() and commit() throw Error{kUsage}: retry with a new object. For one
/// thread.
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
