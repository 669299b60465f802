// Sketches: what pass 1 leaves behind for finding candidates.
//
// Filled by one thread in document order; read by any number of threads while candidates are found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "index/lsh/band_keys.h"
#include "index/lsh/row_store.h"
#include "index/lsh/signature_filter.h"
#include "neardup/fingerprint.h"

namespace neardup {

/// For finding candidates by LSH.
struct LshSketches {
  BandKeys keys;
  SignatureFilter filter;
  RowStore filter_rows;
};

/// The fingerprints, by row; one that has none counts for nothing.
struct CodeSketches {
  uint32_t bits = 64;
  uint32_t max_distance = 0;
  std::vector<Fingerprint128> codes;
};

/// One of the two kinds at least. With both, `missing_sketches` has a bit mask for each row of the sketches that it lacks
/// (Candidates::Sketch). There is a row for every document that was kept in an earlier slice, then one for every document of this one.
struct Sketches {
  std::optional<LshSketches> lsh;
  std::optional<CodeSketches> codes;
  std::vector<uint8_t> missing_sketches;
  std::vector<uint32_t> kept;  ///< of earlier slices, ascending
  uint32_t slice_begin = 0;    ///< the first document of this one
  bool needed_later = false;   ///< another slice follows: finding candidates leaves them as they are

  [[nodiscard]] uint32_t document(uint32_t row) const noexcept {
    return row < kept.size() ? kept[row] : slice_begin + (row - static_cast<uint32_t>(kept.size()));
  }
  /// Of a document of this slice, or of a kept one.
  [[nodiscard]] uint32_t row(uint32_t document) const noexcept {
    if (document >= slice_begin) return document - slice_begin + static_cast<uint32_t>(kept.size());
    return static_cast<uint32_t>(std::lower_bound(kept.begin(), kept.end(), document) - kept.begin());
  }
  /// Drops all rows but those with stays(document). Those of the next slice, which begins at `next_slice`, will follow.
  void keep(uint32_t next_slice, const std::function<bool(uint32_t document)>& stays);
};

/// The values of these rows; none if there are none.
template <typename Value>
std::vector<Value> values_at(const std::vector<Value>& values, std::span<const uint32_t> rows) {
  std::vector<Value> taken;
  if (values.empty()) return taken;
  taken.reserve(rows.size());
  for (const uint32_t row : rows) taken.push_back(values[row]);
  return taken;
}

}  // namespace neardup
