#include "dedup/corpus/feature_store.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace neardup {

// Releases the pages that were read from time to time: mapped pages count as resident memory, however large the page cache is.
struct FeatureStore::Mapping {
  static constexpr uint64_t kMaxResidentBytes = 64u << 20;
  static constexpr uint64_t kMinFaultBytes = 32u << 10;  // the system also maps pages around an accessed one

  explicit Mapping(TempMapping mapped) noexcept : file(std::move(mapped)) {}

  const uint64_t* get(uint64_t offset, uint64_t wanted_bytes) noexcept {
    if (read_bytes.fetch_add(std::max(wanted_bytes, kMinFaultBytes), std::memory_order_relaxed) > kMaxResidentBytes) {
      read_bytes.store(0, std::memory_order_relaxed);
      file.release();
    }
    return reinterpret_cast<const uint64_t*>(file.bytes().data() + offset);
  }

  const TempMapping file;
  std::atomic<uint64_t> read_bytes{0};  // since the last release
};

FeatureStore::FeatureStore(uint64_t memory_bytes, std::string temp_dir) : blocks_(memory_bytes, std::move(temp_dir)) {}
FeatureStore::~FeatureStore() = default;
FeatureStore::FeatureStore(FeatureStore&&) noexcept = default;
FeatureStore& FeatureStore::operator=(FeatureStore&&) noexcept = default;

void FeatureStore::append(std::span<const uint64_t> features, std::span<const uint32_t> sizes) {
  total_features_ += features.size();
  blocks_.append(std::span(reinterpret_cast<const uint8_t*>(features.data()), features.size_bytes()));
  const size_t block = blocks_.count() - 1;
  const auto* data = reinterpret_cast<const uint64_t*>(blocks_.in_memory(block));
  uint64_t offset = blocks_.offset(block);
  for (const uint32_t size : sizes) {
    sets_.push_back({data, offset, size});
    if (data != nullptr) data += size;
    offset += size * sizeof(uint64_t);
  }
}

void FeatureStore::finish(uint64_t min_mapped_bytes) {
  if (spilled_bytes() < std::max<uint64_t>(min_mapped_bytes, 1)) return;
  mapping_ = std::make_unique<Mapping>(blocks_.map());
}

std::span<const uint64_t> FeatureStore::get(uint32_t ordinal, std::vector<uint64_t>& space) const {
  const Set& set = sets_[ordinal];
  if (set.data != nullptr || set.size == 0) return {set.data, set.size};
  if (mapping_) return {mapping_->get(set.offset, set.size * sizeof(uint64_t)), set.size};
  space.resize(set.size);
  blocks_.read_file(set.offset, space.data(), set.size * sizeof(uint64_t));
  return space;
}

std::span<const uint64_t> RecentSets::get(const FeatureStore& store, uint32_t ordinal) {
  if (!store.is_read(ordinal) || store.size(ordinal) * sizeof(uint64_t) > max_bytes_) return store.get(ordinal, space_);
  Slot& slot = slots_[ordinal % slots_.size()];
  if (slot.ordinal != ordinal) {
    slot.ordinal = Slot::kNone;  // reading may throw
    store.get(ordinal, slot.set);
    slot.ordinal = ordinal;
  }
  return slot.set;
}

}  // namespace neardup
