// Sketches: what pass 1 computes for finding candidates.
//
// Filled by one thread in document order; read by any number of threads while candidates are found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/row_store.h"
#include "index/lsh/band_keys.h"
#include "index/lsh/signature_filter.h"
#include "neardup/fingerprint.h"

namespace neardup {

/// For finding candidates by LSH.
struct LshSketches {
  BandKeys keys;
  SignatureFilter filter;
  RowStore filter_rows;
};

/// The fingerprints, by row; a missing one is ignored.
struct CodeSketches {
  uint32_t bits = 64;
  uint32_t max_distance = 0;
  std::vector<Fingerprint128> codes;
};

/// At least one of the two kinds. With both, `missing_sketches` has for each row a bit mask of the missing sketches (Candidates::Sketch).
/// Every document kept in an earlier slice has a row, then every document of this slice.
struct Sketches {
  std::optional<LshSketches> lsh;
  std::optional<CodeSketches> codes;
  std::vector<uint8_t> missing_sketches;
  std::vector<uint32_t> kept;  ///< of earlier slices, ascending
  uint32_t slice_begin = 0;    ///< the first document of this one
  bool needed_later = false;   ///< another slice follows: finding candidates does not free them

  [[nodiscard]] uint32_t document(uint32_t row) const noexcept {
    return row < kept.size() ? kept[row] : slice_begin + (row - static_cast<uint32_t>(kept.size()));
  }
  /// Of a document of this slice, or of a kept one.
  [[nodiscard]] uint32_t row(uint32_t document) const noexcept {
    if (document >= slice_begin) return document - slice_begin + static_cast<uint32_t>(kept.size());
    return static_cast<uint32_t>(std::lower_bound(kept.begin(), kept.end(), document) - kept.begin());
  }
  /// Keeps only the rows with is_kept(document). The rows of the next slice, which begins at `next_slice`, will follow.
  void keep(uint32_t next_slice, const std::function<bool(uint32_t document)>& is_kept);
};

/// The values of these rows; empty without values.
template <typename Value>
std::vector<Value> values_at(const std::vector<Value>& values, std::span<const uint32_t> rows) {
  std::vector<Value> taken;
  if (values.empty()) return taken;
  taken.reserve(rows.size());
  for (const uint32_t row : rows) taken.push_back(values[row]);
  return taken;
}

}  // namespace neardup
