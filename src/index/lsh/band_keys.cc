#include "index/lsh/band_keys.h"

#include <cstring>

#include "base/hash.h"

namespace neardup {
namespace {

void store(uint64_t key, uint8_t* out) noexcept {
  for (size_t i = 0; i < BandKeys::kKeyBytes; ++i) out[i] = static_cast<uint8_t>(key >> (8 * i));
}

}  // namespace

void BandKeys::append_row(const LshPlan& plan, std::span<const uint32_t> signature, std::vector<uint8_t>& rows) {
  const size_t at = rows.size();
  rows.resize(at + row_bytes(plan));
  for (uint32_t band = 0; band < plan.bands; ++band) {
    // The band's number is not part of the key: bands are only ever compared with themselves.
    const uint64_t key = XXH3_64bits(signature.data() + size_t{band} * plan.rows, plan.rows * sizeof(uint32_t));
    store(key, rows.data() + at + band * kKeyBytes);
  }
}

BandKeys::Block BandKeys::transpose(const LshPlan& plan, std::span<const uint8_t> rows) {
  const size_t documents = rows.size() / row_bytes(plan);  // NOLINT(clang-analyzer-core.DivideZero): a plan has a band
  Block block(rows.size());
  for (size_t band = 0; band < plan.bands; ++band) {
    for (size_t i = 0; i < documents; ++i) {
      std::memcpy(block.data() + (band * documents + i) * kKeyBytes, rows.data() + (i * plan.bands + band) * kKeyBytes, kKeyBytes);
    }
  }
  return block;
}

void BandKeys::append(Block block) {
  const size_t documents = block.size() / row_bytes(plan_);
  Stored stored{.first = next_document_, .count = static_cast<uint32_t>(documents), .bytes = {}};
  if (used_bytes_ + block.size() <= memory_bytes_) {
    used_bytes_ += block.size();
    block.shrink_to_fit();
    stored.bytes = std::move(block);
  } else {
    if (!spill_) spill_.emplace(temp_dir_);
    stored.offset = spill_->size();
    stored.spilled = true;
    spill_->append(block.data(), block.size());
  }
  next_document_ += static_cast<uint32_t>(documents);
  blocks_.push_back(std::move(stored));
}

void BandKeys::keep(std::span<const uint32_t> documents) {
  constexpr size_t kBlockDocuments = 8192;
  const size_t bytes = row_bytes(plan_);
  BandKeys kept(plan_, memory_bytes_, temp_dir_);
  std::vector<uint8_t> rows;
  std::vector<uint8_t> space;
  const auto hand_over = [&] {
    if (!rows.empty()) kept.append(transpose(plan_, rows));
    rows.clear();
  };
  auto next = documents.begin();
  for (size_t block = 0; block < blocks_.size(); ++block) {
    const uint32_t first = blocks_[block].first;
    const uint32_t end = first + blocks_[block].count;
    if (next != documents.end() && *next < end) {
      const auto all = whole(block, space);
      for (; next != documents.end() && *next < end; ++next) {
        rows.resize(rows.size() + bytes);
        copy_row(block, all, *next - first, rows.data() + rows.size() - bytes);
        if (rows.size() == kBlockDocuments * bytes) hand_over();
      }
    }
    forget(block);
  }
  hand_over();
  *this = std::move(kept);
}

std::span<const uint8_t> BandKeys::band(size_t block, uint32_t band, std::vector<uint8_t>& space) const {
  const Stored& stored = blocks_[block];
  const size_t bytes = stored.count * kKeyBytes;
  if (!stored.spilled) return {stored.bytes.data() + band * bytes, bytes};
  space.resize(bytes);
  spill_->read(stored.offset + band * bytes, space.data(), bytes);
  return space;
}

std::span<const uint8_t> BandKeys::whole(size_t block, std::vector<uint8_t>& space) const {
  const Stored& stored = blocks_[block];
  if (!stored.spilled) return stored.bytes;
  space.resize(stored.count * row_bytes(plan_));
  spill_->read(stored.offset, space.data(), space.size());
  return space;
}

void BandKeys::copy_row(size_t block, std::span<const uint8_t> whole, size_t i, uint8_t* row) const noexcept {
  const size_t documents = blocks_[block].count;
  for (size_t band = 0; band < plan_.bands; ++band) {
    std::memcpy(row + band * kKeyBytes, whole.data() + (band * documents + i) * kKeyBytes, kKeyBytes);
  }
}

uint32_t BandKeys::common_bands(const LshPlan& plan, const uint8_t* row_a, const uint8_t* row_b) noexcept {
  uint32_t common = 0;
  for (size_t band = 0; band < plan.bands; ++band) common += load(row_a + band * kKeyBytes) == load(row_b + band * kKeyBytes);
  return common;
}

bool BandKeys::share_band(const LshPlan& plan, const uint8_t* row_a, const uint8_t* row_b) noexcept {
  for (size_t band = 0; band < plan.bands; ++band) {
    if (load(row_a + band * kKeyBytes) == load(row_b + band * kKeyBytes)) return true;
  }
  return false;
}

}  // namespace neardup
