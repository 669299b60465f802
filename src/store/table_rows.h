// Rows of the tables of an online store: what a look-up compares of a kept document, in rows of one size.
//
//   RowHead | row of the signature filter | band keys (BandKeys) | padding to 8 bytes
//
// Tables find rows by band keys, by exact hash and by the hash of the id, in this order: kExact and kId follow the bands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "index/lsh/band_keys.h"
#include "index/lsh/lsh_plan.h"
#include "neardup/sketcher.h"

namespace neardup {

/// Little-endian, as all of a row; without padding.
struct RowHead {
  uint64_t sequence = 0;  ///< of the insertion: ascending in a part
  uint64_t expires = 0;   ///< milliseconds since 1970: not seen from this time on; kNever
  uint64_t exact_high = 0;
  uint64_t exact_low = 0;
  uint64_t id_hash = 0;       ///< hash64() of the id
  uint64_t place = 0;         ///< of its record in the log (online/log/log_format.h)
  uint32_t record_bytes = 0;  ///< there
  uint32_t reserved = 0;
  uint32_t features = 0;  ///< distinct
  uint32_t is_short = 0;  ///< 1: found as an exact copy only, and the keys are zeros

  static constexpr uint64_t kNever = UINT64_MAX;
  [[nodiscard]] ExactHash exact() const noexcept { return {exact_high, exact_low}; }
};
static_assert(sizeof(RowHead) == 64);

/// Where the parts of a row are. A value; fixed by the plan of a store.
class RowLayout {
 public:
  RowLayout() = default;
  /// A store of fingerprints has no bands and no filter.
  RowLayout(LshPlan plan, size_t filter_bytes) noexcept
      : plan_(plan), filter_bytes_(filter_bytes), row_bytes_((sizeof(RowHead) + filter_bytes + BandKeys::row_bytes(plan) + 7) / 8 * 8) {}

  [[nodiscard]] const LshPlan& plan() const noexcept { return plan_; }
  [[nodiscard]] size_t filter_bytes() const noexcept { return filter_bytes_; }
  [[nodiscard]] size_t row_bytes() const noexcept { return row_bytes_; }
  [[nodiscard]] uint32_t bands() const noexcept { return plan_.bands; }
  [[nodiscard]] uint32_t exact_table() const noexcept { return plan_.bands; }
  [[nodiscard]] uint32_t id_table() const noexcept { return plan_.bands + 1; }
  [[nodiscard]] uint32_t tables() const noexcept { return plan_.bands + 2; }

  static RowHead head(const uint8_t* row) noexcept {
    RowHead head;
    std::memcpy(&head, row, sizeof head);
    return head;
  }
  static uint64_t sequence(const uint8_t* row) noexcept {
    uint64_t sequence = 0;
    std::memcpy(&sequence, row, sizeof sequence);
    return sequence;
  }
  static void set_head(const RowHead& head, uint8_t* row) noexcept { std::memcpy(row, &head, sizeof head); }
  [[nodiscard]] const uint8_t* filter(const uint8_t* row) const noexcept { return row + sizeof(RowHead); }
  [[nodiscard]] const uint8_t* keys(const uint8_t* row) const noexcept { return row + sizeof(RowHead) + filter_bytes_; }

  static constexpr uint64_t kKeyMask = (uint64_t{1} << 48) - 1;
  static uint64_t exact_key(ExactHash exact) noexcept { return exact.low & kKeyMask; }
  static uint64_t id_key(uint64_t id_hash) noexcept { return id_hash & kKeyMask; }
  /// The key of a row in a table.
  [[nodiscard]] uint64_t key(const uint8_t* row, uint32_t table) const noexcept {
    if (table < bands()) return BandKeys::load(keys(row) + table * BandKeys::kKeyBytes);
    const RowHead of = head(row);
    return table == exact_table() ? exact_key(of.exact()) : id_key(of.id_hash);
  }
  /// True if the table has the row: a short document has no bands.
  [[nodiscard]] bool in_table(const uint8_t* row, uint32_t table) const noexcept { return table >= bands() || head(row).is_short == 0; }

 private:
  LshPlan plan_;
  size_t filter_bytes_ = 0;
  size_t row_bytes_ = sizeof(RowHead);
};

/// Rows of one bucket that a part finds by a band; further ones are found by the features that they share (src/online/hot_index.h). A
/// bucket of a template would otherwise be read whole by each of its documents.
inline constexpr uint32_t kBucketRows = 8;
/// Of the other tables: all.
inline constexpr uint32_t kAllRows = UINT32_MAX;

}  // namespace neardup
