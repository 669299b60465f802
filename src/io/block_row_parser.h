// BlockRowParser: one row that came back from a database -> fingerprint and id; or what is wrong with it. See match_rows().
//
// Total: any bytes in, a row or a problem out, nothing thrown but for the header.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/block_rows.h"

namespace neardup {

struct BlockRow {
  Fingerprint128 fingerprint;
  std::string id;
};

/// For one thread.
class BlockRowParser {
 public:
  BlockRowParser(const FingerprintBlocks& blocks, FingerprintText form) : blocks_(blocks), form_(form) {}

  /// Rows are cells with tabs between them from now on, and these are the names of the columns. Throws Error{kInput} without a place.
  void set_header(std::string_view line);
  /// Sets `row`, or returns the problem, one line that names the value; empty: none.
  std::string parse(std::string_view line, BlockRow& row);

 private:
  enum Column : size_t { kBlock, kValue, kFingerprint, kId, kColumns };
  // A cell as text; nothing: there is none.
  using Cells = std::optional<std::string>[kColumns];

  std::string split_table(std::string_view line);
  std::string split_json(std::string_view line);
  [[nodiscard]] std::string block_problem(Fingerprint128 fingerprint) const;

  const FingerprintBlocks& blocks_;
  const FingerprintText form_;
  std::vector<size_t> header_;  // the Column of every cell, kColumns for others; empty: JSON Lines
  Cells cells_;
};

}  // namespace neardup
