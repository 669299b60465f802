// SketchedBatch: the result of pass 1 for one batch, and its bytes for the journal. Once the batch is decided, the sketches of removed
// documents are no longer needed: a thin batch has zeros in their place, and its bytes omit them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dedup/corpus/document_table.h"
#include "index/lsh/band_keys.h"
#include "neardup/fingerprint.h"

namespace neardup {

struct SketchedBatch {
  uint32_t source = 0;  ///< as Batch::source() and rows()
  uint64_t rows = 0;
  BatchDocuments documents;
  BandKeys::Block block;             ///< the band keys, band by band
  std::vector<uint8_t> filter_rows;  ///< by document, as all that follow
  std::vector<Fingerprint128> codes;
  std::vector<uint8_t> missing_sketches;  ///< Candidates::Sketch
  std::vector<uint8_t> sketched;          ///< of a thin batch: 1 for the documents that still have sketches; else empty
  uint64_t text_bytes = 0;

  void clear();
  /// Makes its bytes thin. Calls is_kept(i) for every document in order.
  void thin(const std::function<bool(uint32_t i)>& is_kept);
  /// Appends it to `out`.
  void save(std::string& out) const;
  /// Throws Error{kInput} that names `name` when save() cannot have written the bytes.
  void load(std::string_view bytes, const std::string& name);
};

}  // namespace neardup
