// write_table_segment(): writes rows of parts, and the tables that find them, as a segment.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "store/segment_writer.h"
#include "store/store_manifest.h"
#include "store/tables/table_part.h"

namespace neardup {

/// Some rows of a part. Parts are given in the order of their sequences, which do not overlap.
struct TableRows {
  TablePart part;
  std::vector<uint32_t> rows;  ///< ascending
};
/// Changes a copy of a row before it is written: its expiry.
using ChangeRow = std::function<void(uint8_t* row)>;
/// Replaces `features` by those of a document.
using ReadFeatures = std::function<void(uint64_t sequence, std::vector<uint64_t>& features)>;

/// Memory: a table for each thread, seven bytes a row, and a byte a row. Throws Error{kOutput}, Error{kInput} for a damaged part, and what
/// `read` throws; then there is no file. At most SlotTable::kMaxRows rows.
WrittenSegment write_table_segment(const std::string& path, const TableStoreSpec& spec, std::span<const TableRows> parts,
                                   const ChangeRow& change, const ReadFeatures& read, uint32_t threads);

}  // namespace neardup
