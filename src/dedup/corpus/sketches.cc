#include "dedup/corpus/sketches.h"

#include <utility>

namespace neardup {

void Sketches::keep(uint32_t next_slice, const std::function<bool(uint32_t document)>& is_kept) {
  std::vector<uint32_t> rows;
  std::vector<uint32_t> documents;
  const uint32_t end = row(next_slice);
  for (uint32_t r = 0; r < end; ++r) {
    const uint32_t d = document(r);
    if (!is_kept(d)) continue;
    rows.push_back(r);
    documents.push_back(d);
  }
  if (lsh) {
    lsh->keys.keep(rows);
    lsh->filter_rows.keep(rows);
  }
  if (codes) codes->codes = values_at(codes->codes, rows);
  missing_sketches = values_at(missing_sketches, rows);
  kept = std::move(documents);
  slice_begin = next_slice;
}

}  // namespace neardup
