#include "dedup/corpus/feature_store.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "neardup/error.h"

namespace neardup {
// What is read is given back now and then: mapped pages would count as memory of the program, however much room the page cache has.
struct FeatureStore::Mapping {
  static constexpr uint64_t kMaxResidentBytes = 64u << 20;
  static constexpr uint64_t kMinFaultBytes = 32u << 10;  // the system maps the pages around one that is touched, too

  explicit Mapping(const TempFile& file) : bytes(file.size()), begin(::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.descriptor(), 0)) {
    if (begin != MAP_FAILED) return;
    throw Error(ErrorCode::kResource, "cannot map " + std::to_string(bytes) + " bytes of temporary data: " + std::strerror(errno));
  }
  ~Mapping() { ::munmap(begin, bytes); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  const uint64_t* get(uint64_t offset, uint64_t wanted_bytes) noexcept {
    if (read_bytes.fetch_add(std::max(wanted_bytes, kMinFaultBytes), std::memory_order_relaxed) > kMaxResidentBytes) {
      read_bytes.store(0, std::memory_order_relaxed);
      ::madvise(begin, bytes, MADV_DONTNEED);  // who reads meanwhile gets the page anew
    }
    return reinterpret_cast<const uint64_t*>(static_cast<const char*>(begin) + offset);
  }

  const size_t bytes;
  void* const begin;
  std::atomic<uint64_t> read_bytes{0};  // since they were given back
};

FeatureStore::FeatureStore(uint64_t memory_bytes, std::string temp_dir) : memory_bytes_(memory_bytes), temp_dir_(std::move(temp_dir)) {}
FeatureStore::~FeatureStore() = default;
FeatureStore::FeatureStore(FeatureStore&&) noexcept = default;
FeatureStore& FeatureStore::operator=(FeatureStore&&) noexcept = default;

void FeatureStore::append(std::span<const uint64_t> features, std::span<const uint32_t> sizes) {
  const size_t bytes = features.size_bytes();
  total_features_ += features.size();
  const uint64_t* data = nullptr;
  uint64_t offset = 0;
  if (used_bytes_ + bytes <= memory_bytes_) {
    used_bytes_ += bytes;
    blocks_.emplace_back(features.begin(), features.end());
    data = blocks_.back().data();
  } else {
    if (!spill_) spill_.emplace(temp_dir_);
    offset = spill_->size();
    spill_->append(features.data(), bytes);
  }
  for (const uint32_t size : sizes) {
    sets_.push_back({data, offset, size});
    if (data != nullptr) data += size;
    offset += size * sizeof(uint64_t);
  }
}

void FeatureStore::finish(uint64_t min_mapped_bytes) {
  if (!spill_ || spill_->size() < std::max<uint64_t>(min_mapped_bytes, 1)) return;
  mapping_ = std::make_unique<Mapping>(*spill_);
}

std::span<const uint64_t> FeatureStore::get(uint32_t ordinal, std::vector<uint64_t>& space) const {
  const Set& set = sets_[ordinal];
  if (set.data != nullptr || set.size == 0) return {set.data, set.size};
  if (mapping_) return {mapping_->get(set.offset, set.size * sizeof(uint64_t)), set.size};
  space.resize(set.size);
  spill_->read(set.offset, space.data(), set.size * sizeof(uint64_t));
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
