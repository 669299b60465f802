// _core.HammingIndex: an index of fingerprints in memory, over arrays. What it shares with _core.HammingStore: arrays of neighbours.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "neardup/hamming_index.h"

namespace neardup::python {

/// The neighbours of many queries, in the order of the queries; an element each in three arrays.
class NeighbourArrays {
 public:
  void add(size_t query, std::span<const HammingHit> hits, uint64_t limit = std::numeric_limits<uint64_t>::max());
  /// (queries int64, ids uint64, distances uint32)
  nanobind::tuple finish();

 private:
  std::vector<int64_t> queries_;
  std::vector<uint64_t> ids_;
  std::vector<uint32_t> distances_;
};

void bind_hamming(nanobind::module_& module);

}  // namespace neardup::python
