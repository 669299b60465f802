#include "dedup/feature_store.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "neardup/error.h"

namespace neardup {

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

void FeatureStore::finish() {
  if (!spill_ || spill_->size() == 0) return;
  const size_t bytes = spill_->size();
  void* begin = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, spill_->descriptor(), 0);
  if (begin == MAP_FAILED) {
    throw Error(ErrorCode::kResource, "cannot map " + std::to_string(bytes) + " bytes of temporary data: " + std::strerror(errno));
  }
  mapped_ = std::shared_ptr<const void>(begin, [bytes](const void* mapped) { ::munmap(const_cast<void*>(mapped), bytes); });
}

std::span<const uint64_t> FeatureStore::get(uint32_t ordinal, std::vector<uint64_t>& space) const {
  const Set& set = sets_[ordinal];
  if (set.data != nullptr || set.size == 0) return {set.data, set.size};
  if (mapped_) return {reinterpret_cast<const uint64_t*>(static_cast<const char*>(mapped_.get()) + set.offset), set.size};
  space.resize(set.size);
  spill_->read(set.offset, space.data(), set.size * sizeof(uint64_t));
  return space;
}

}  // namespace neardup
