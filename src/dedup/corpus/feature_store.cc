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

void FeatureSets::add(std::span<const uint64_t> set) {
  data.push_back(set.empty() ? nullptr : std::make_unique_for_overwrite<uint64_t[]>(set.size()));
  std::copy(set.begin(), set.end(), data.back().get());
  sizes.push_back(static_cast<uint32_t>(set.size()));
}

void FeatureSets::clear() noexcept {
  data.clear();
  sizes.clear();
}

std::vector<uint64_t> FeatureSets::joined() const {
  std::vector<uint64_t> all;
  for (size_t i = 0; i < sizes.size(); ++i) all.insert(all.end(), data[i].get(), data[i].get() + sizes[i]);
  return all;
}

FeatureStore::FeatureStore(uint64_t memory_bytes, std::string temp_dir) : memory_bytes_(memory_bytes), temp_dir_(std::move(temp_dir)) {}
FeatureStore::~FeatureStore() = default;

bool FeatureStore::take_memory(uint64_t bytes) noexcept {
  // Only this thread takes; others give back, so there can only be more than it saw.
  if (used_bytes_.load(std::memory_order_relaxed) + bytes > memory_bytes_) return false;
  used_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return true;
}

void FeatureStore::append(FeatureSets& sets) {
  spilling_.clear();
  const uint64_t file_end = spilled_bytes();
  if (sets_.size() < count_ + sets.sizes.size()) sets_.resize(count_ + sets.sizes.size());
  for (size_t i = 0; i < sets.sizes.size(); ++i) {
    Set& set = sets_[count_ + i];
    set.size = sets.sizes[i];
    total_features_ += set.size;
    if (take_memory(bytes_of(set.size))) {
      set.data = std::move(sets.data[i]);
    } else {
      set.offset = file_end + spilling_.size() * sizeof(uint64_t);
      spilling_.insert(spilling_.end(), sets.data[i].get(), sets.data[i].get() + set.size);
    }
  }
  if (!spilling_.empty()) {
    if (!file_) file_.emplace(temp_dir_);
    file_->append(spilling_.data(), spilling_.size() * sizeof(uint64_t));
  }
  count_ += static_cast<uint32_t>(sets.sizes.size());
  sets.clear();
}

void FeatureStore::append(std::span<const uint64_t> features, std::span<const uint32_t> sizes) {
  FeatureSets sets;
  for (const uint32_t size : sizes) {
    sets.add(features.first(size));
    features = features.subspan(size);
  }
  append(sets);
}

void FeatureStore::finish(uint64_t min_mapped_bytes) {
  std::vector<uint64_t>().swap(spilling_);
  if (spilled_bytes() < std::max<uint64_t>(min_mapped_bytes, 1)) return;
  mapping_ = std::make_unique<Mapping>(TempMapping(*file_));
}

std::span<const uint64_t> FeatureStore::get(uint32_t ordinal, std::vector<uint64_t>& space) const {
  const Set& set = sets_[ordinal];
  if (set.data != nullptr || set.size == 0) return {set.data.get(), set.size};
  if (mapping_) return {mapping_->get(set.offset, set.size * sizeof(uint64_t)), set.size};
  space.resize(set.size);
  file_->read(set.offset, space.data(), set.size * sizeof(uint64_t));
  return space;
}

void FeatureStore::forget(uint32_t ordinal) noexcept {
  Set& set = sets_[ordinal];
  if (set.data == nullptr) return;
  set.data.reset();
  used_bytes_.fetch_sub(bytes_of(set.size), std::memory_order_relaxed);
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
