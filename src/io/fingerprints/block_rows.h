// BlockRowParser: one row from a database -> fingerprint and id, or its problem. See match_rows(). The sink that writes such rows,
// make_block_row_sink() of neardup/tools/block_rows.h, is implemented in the same file.
//
// Total: any bytes give a row or a problem; only the header throws.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/fingerprints/row_cells.h"
#include "neardup/tools/block_rows.h"

namespace neardup {

struct BlockRow {
  Fingerprint128 fingerprint;
  std::string id;
};

/// For one thread.
class BlockRowParser {
 public:
  BlockRowParser(const FingerprintBlocks& blocks, FingerprintText form);

  /// From now on rows are cells separated by tabs, with these column names. Throws Error{kInput} without a place.
  void set_header(std::string_view line);
  /// Sets `row`, or returns the problem, one line that names the value; empty: none.
  Problem parse(std::string_view line, BlockRow& row);

 private:
  enum Column : size_t { kBlock, kValue, kFingerprint, kId };

  [[nodiscard]] Problem block_problem(Fingerprint128 fingerprint) const;

  const FingerprintBlocks& blocks_;
  const FingerprintText form_;
  RowCells cells_;
};

}  // namespace neardup
