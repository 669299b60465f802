// FeatureStore: the feature sets of the documents that have candidates, for verification. In memory up to a bound, the rest in a
// temporary file.
//
// Filled from one thread in ordinal order; read by any number of threads afterwards. After expect(), sets that are in can be read and
// forgotten by other threads while more arrive, provided that these threads learn of them from the filling one, as by a mutex.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/temp_file.h"

namespace neardup {

/// Copies of sets, on their way into a store: made by any thread, so that the one that fills the store has little to do.
struct FeatureSets {
  std::vector<std::unique_ptr<uint64_t[]>> data;
  std::vector<uint32_t> sizes;

  void add(std::span<const uint64_t> set);
  void clear() noexcept;
  /// The sets one after the other.
  [[nodiscard]] std::vector<uint64_t> joined() const;
};

class FeatureStore {
 public:
  static constexpr uint64_t kUsualMinMapped = uint64_t{1} << 30;
  static constexpr uint64_t kNeverMapped = ~uint64_t{0};

  FeatureStore(uint64_t memory_bytes, std::string temp_dir);
  ~FeatureStore();
  FeatureStore(const FeatureStore&) = delete;
  FeatureStore& operator=(const FeatureStore&) = delete;

  /// Call it before the first append() if sets are read before the last one: there will be at most `count`.
  void expect(uint32_t count) { sets_.resize(count); }
  /// Takes the sets of the next ordinals; what is left of `sets` is cleared. Throws Error{kOutput} when the disk is full.
  void append(FeatureSets& sets);
  /// The same of copies: the sets one after the other.
  void append(std::span<const uint64_t> features, std::span<const uint32_t> sizes);

  /// After the last append(). Maps the spilled sets if they take at least `min_mapped_bytes`; below that, get() reads them: that is as
  /// fast, and mapped pages count as resident memory, some hundred megabytes at a time. Throws Error{kResource} when they cannot be mapped.
  void finish(uint64_t min_mapped_bytes = kUsualMinMapped);

  [[nodiscard]] uint32_t count() const noexcept { return count_; }
  [[nodiscard]] uint32_t size(uint32_t ordinal) const noexcept { return sets_[ordinal].size; }
  [[nodiscard]] uint64_t total_features() const noexcept { return total_features_; }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return file_ ? file_->size() : 0; }
  [[nodiscard]] bool in_memory(uint32_t ordinal) const noexcept { return sets_[ordinal].data != nullptr || sets_[ordinal].size == 0; }
  /// True if get() reads from disk, and needs its `space`.
  [[nodiscard]] bool is_read(uint32_t ordinal) const noexcept { return !in_memory(ordinal) && mapping_ == nullptr; }
  /// The set, sorted; in `space` if it had to be read. Throws Error{kInput} when the temporary file cannot be read.
  std::span<const uint64_t> get(uint32_t ordinal, std::vector<uint64_t>& space) const;
  /// Frees the memory of a set, which later ones may take. It must not be read again.
  void forget(uint32_t ordinal) noexcept;

 private:
  struct Set {
    std::unique_ptr<uint64_t[]> data;  // null when spilled or empty
    uint64_t offset = 0;               // in the spill file
    uint32_t size = 0;
  };
  // Of a set in memory, with what an allocation and its entry here take.
  static uint64_t bytes_of(uint32_t size) noexcept { return size * sizeof(uint64_t) + kBytesPerSet; }
  static constexpr uint64_t kBytesPerSet = 40;
  // False, and takes nothing, if too little is left.
  bool take_memory(uint64_t bytes) noexcept;

  const uint64_t memory_bytes_;
  const std::string temp_dir_;
  std::atomic<uint64_t> used_bytes_{0};
  uint64_t total_features_ = 0;
  uint32_t count_ = 0;
  std::vector<Set> sets_;           // `count_` of them are there
  std::vector<uint64_t> spilling_;  // of the append() at hand
  std::optional<TempFile> file_;    // once a set did not fit
  struct Mapping;
  std::unique_ptr<Mapping> mapping_;  // of the file
};

/// The sets of a store that a thread used last: members of a group are compared many times, and are read once.
class RecentSets {
 public:
  /// Sets of more than `max_bytes` are not kept.
  RecentSets(size_t slots, size_t max_bytes) : slots_(slots), max_bytes_(max_bytes) {}

  /// FeatureStore::get(); valid until the next call.
  std::span<const uint64_t> get(const FeatureStore& store, uint32_t ordinal);

 private:
  struct Slot {
    static constexpr uint64_t kNone = ~uint64_t{0};
    uint64_t ordinal = kNone;
    std::vector<uint64_t> set;
  };
  std::vector<Slot> slots_;
  size_t max_bytes_;
  std::vector<uint64_t> space_;  // for what is not kept
};

}  // namespace neardup
