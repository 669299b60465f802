#include "index/lsh/band_keys.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "kernels/kernels.h"

namespace neardup {
namespace {

void store(uint64_t key, uint8_t* out) noexcept {
  const auto low = static_cast<uint32_t>(key);
  const auto high = static_cast<uint16_t>(key >> 32);
  std::memcpy(out, &low, sizeof low);
  std::memcpy(out + sizeof low, &high, sizeof high);
}

}  // namespace

void BandKeys::append_row(const LshPlan& plan, std::span<const uint32_t> signature, std::vector<uint8_t>& rows) {
  const size_t at = rows.size();
  rows.resize(at + row_bytes(plan));
  const auto add = [&](uint32_t band, uint64_t key) { store(key, rows.data() + at + band * kKeyBytes); };
  // The band's number is not part of the key: bands are only ever compared with themselves.
  constexpr uint32_t kAtOnce = 64;
  std::array<uint64_t, kAtOnce> keys;
  const auto hash_rows = kernels::kernels().hash_rows;
  for (uint32_t band = 0; band < plan.bands;) {
    const uint32_t* const words = signature.data() + size_t{band} * plan.rows;
    const uint32_t wanted = std::min(kAtOnce, plan.bands - band);
    const auto made = hash_rows == nullptr ? 0 : static_cast<uint32_t>(hash_rows(words, wanted, plan.rows, keys.data()));
    for (uint32_t i = 0; i < made; ++i) add(band + i, keys[i]);
    for (uint32_t i = made; i < wanted; ++i) add(band + i, XXH3_64bits(words + size_t{i} * plan.rows, plan.rows * sizeof(uint32_t)));
    band += wanted;
  }
}

// Grouping reads one band of all documents at a time: in this order that is one read per block.
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
  const auto count = static_cast<uint32_t>(block.size() / row_bytes(plan_));
  blocks_.append(std::move(block));
  documents_.push_back({.first = next_document_, .count = count});
  next_document_ += count;
}

void BandKeys::keep(std::span<const uint32_t> documents) {
  constexpr size_t kBlockDocuments = 8192;
  const size_t bytes = row_bytes(plan_);
  // Collects rows of several old blocks, which may have few documents left, so that blocks do not shrink over time.
  BandKeys kept(plan_, blocks_.empty_like());
  std::vector<uint8_t> rows;
  std::vector<uint8_t> space;
  const auto hand_over = [&] {
    if (!rows.empty()) kept.append(transpose(plan_, rows));
    rows.clear();
  };
  auto next = documents.begin();
  for (size_t block = 0; block < block_count(); ++block) {
    const uint32_t first = first_document(block);
    const uint32_t end = first + this->documents(block);
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
  const size_t bytes = documents(block) * kKeyBytes;
  return blocks_.read(block, band * bytes, bytes, space);
}

std::span<const uint8_t> BandKeys::whole(size_t block, std::vector<uint8_t>& space) const {
  return blocks_.read(block, 0, documents(block) * row_bytes(plan_), space);
}

void BandKeys::copy_row(size_t block, std::span<const uint8_t> whole, size_t i, uint8_t* row) const noexcept {
  const size_t count = documents(block);
  for (size_t band = 0; band < plan_.bands; ++band) {
    std::memcpy(row + band * kKeyBytes, whole.data() + (band * count + i) * kKeyBytes, kKeyBytes);
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
