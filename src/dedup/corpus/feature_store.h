// FeatureStore: the feature sets of the documents that have candidates, for verification. In memory up to a bound, the rest in a
// temporary file. Filled from one thread in ordinal order; read by any number of threads afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/spill_file.h"

namespace neardup {

class FeatureStore {
 public:
  FeatureStore(uint64_t memory_bytes, std::string temp_dir);
  ~FeatureStore();
  FeatureStore(FeatureStore&&) noexcept;
  FeatureStore& operator=(FeatureStore&&) noexcept;

  /// Appends the sets of consecutive ordinals, one after the other in `features`. Throws Error{kOutput} when the disk is full.
  void append(std::span<const uint64_t> features, std::span<const uint32_t> sizes);

  /// After the last append(). Maps the spilled sets if they take at least `min_mapped_bytes`; below that, get() reads them: that is as
  /// fast, and mapped pages count as resident memory, some hundred megabytes at a time. Throws Error{kResource} when they cannot be mapped.
  void finish(uint64_t min_mapped_bytes = uint64_t{1} << 30);

  [[nodiscard]] uint32_t count() const noexcept { return static_cast<uint32_t>(sets_.size()); }
  [[nodiscard]] uint32_t size(uint32_t ordinal) const noexcept { return sets_[ordinal].size; }
  [[nodiscard]] uint64_t total_features() const noexcept { return total_features_; }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return blocks_.spilled_bytes(); }
  /// True if get() reads from disk, and needs its `space`.
  [[nodiscard]] bool is_read(uint32_t ordinal) const noexcept {
    return sets_[ordinal].data == nullptr && sets_[ordinal].size != 0 && mapping_ == nullptr;
  }
  /// The set, sorted; in `space` if it had to be read. Throws Error{kInput} when the temporary file cannot be read.
  std::span<const uint64_t> get(uint32_t ordinal, std::vector<uint64_t>& space) const;

 private:
  struct Set {
    const uint64_t* data;  // null when spilled
    uint64_t offset;       // in the spill file
    uint32_t size;
  };

  uint64_t total_features_ = 0;
  std::vector<Set> sets_;
  SpillBlocks blocks_;  // own what Set::data points to
  struct Mapping;
  std::unique_ptr<Mapping> mapping_;  // of the spill file
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
