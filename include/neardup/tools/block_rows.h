// Block rows: fingerprints in the caller's own database, by the pigeonhole principle (docs/own-database.md).
//
// make_block_row_sink() writes one row (block, value, fingerprint, id) for each block of each document; match_rows() (match_rows.h) reads
// the rows found by lookups of (block, value) and selects the neighbours of a query.
#pragma once

#include <memory>
#include <string>

#include "neardup/source.h"
#include "neardup/tools/fingerprint_blocks.h"
#include "neardup/tools/fingerprint_text.h"
#include "neardup/tools/sketch_sink.h"

namespace neardup {

/// Throws Error{kUsage} when the recipe makes signatures, or fingerprints of another width than the blocks.
void check_blocks(const FingerprintBlocks& blocks, const Recipe& recipe);

/// A table with tabs and the header "block value fingerprint id" when the path ends in .tsv (before a compression suffix); otherwise JSON
/// Lines with these members, block and value as numbers, fingerprint and id as strings. A document without an id, or with an empty one, is
/// named SOURCE:ROW; one that is too short has no rows. begin() throws Error{kUsage} for a recipe whose fingerprints do not have the bits
/// of the blocks. `source` is not owned.
std::unique_ptr<SketchSink> make_block_row_sink(const std::string& path, const DocumentSource& source, const FingerprintBlocks& blocks,
                                                FingerprintText fingerprints = FingerprintText::kHex);

}  // namespace neardup
