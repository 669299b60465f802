// TableKind: the tables of an online store as an index folder. Segments cover the sequences below the next id of the manifest, and follow
// one another in the order of their sequences. Everything in the folder can be made again from the records of the store.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "store/open_store.h"
#include "store/tables/table_segment.h"

namespace neardup {

struct TableKind {
  using Spec = TableStoreSpec;
  using Segment = TableSegment;
  using View = StoreView<TableSegment>;

  static const Spec& spec_of(const StoreManifest& manifest, const std::string& folder) { return table_spec_of(manifest, folder); }
  static std::unique_ptr<const Segment> open_segment(const std::string& path, const Spec& spec) {
    return std::make_unique<const Segment>(path, spec);
  }
  static uint64_t entries(const Segment& segment) noexcept { return segment.rows(); }
};

using TableStore = OpenStore<TableKind>;

/// The first sequence of a segment that has rows.
inline uint64_t first_sequence(const TableSegment& segment) {
  return RowLayout::sequence(segment.part().row(0));
}

}  // namespace neardup
