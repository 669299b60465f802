// match_rows(): selects the neighbours of a query from rows that lookups in a database returned. block_rows.h makes such rows.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neardup/fingerprint.h"
#include "neardup/tools/fingerprint_blocks.h"
#include "neardup/tools/fingerprint_text.h"
#include "neardup/tools/reject_limit.h"
#include "neardup/tools/rejects.h"

namespace neardup {

struct RowQuery {
  FingerprintBlocks blocks = FingerprintBlocks::parse("4x16");
  FingerprintText fingerprints = FingerprintText::kHex;  ///< how the rows hold them
  std::vector<Fingerprint128> queries;                   ///< 64 bits have a high half of 0
  uint32_t max_distance = 3;                             ///< inclusive; at most blocks.radius()
  RejectLimit max_rejects{};                             ///< Options::max_rejects
};

/// Ordered by query, then distance, then id (by its bytes).
struct RowNeighbour {
  uint32_t query = 0;  ///< its index in RowQuery::queries
  uint32_t distance = 0;
  std::string id;
  Fingerprint128 fingerprint;
  friend auto operator<=>(const RowNeighbour&, const RowNeighbour&) = default;
};

struct RowMatches {
  uint64_t rows = 0;      ///< lines read, without blank ones and the header
  uint64_t rejected = 0;  ///< of these
  RejectCounts rejected_by_kind;
  std::vector<RowNeighbour> neighbours;
  std::vector<std::string> warnings;  ///< the first rejected rows, with their lines, and neighbours of one id but several fingerprints
};

/// Reads rows, JSON Lines or a table with a header, told apart by their first character; plain or compressed; "-" is standard input. A row
/// needs fingerprint and id; block and value are optional, but must agree with the fingerprint. Further columns are ignored. Every
/// neighbour is given once, however many blocks it shares with the query. A broken row is counted and named, its line is appended to
/// `rejects` if that is a path, and it does not stop the others. Throws Error{kUsage} when the blocks do not cover the radius,
/// Error{kInput} for a file or a header that cannot be read, and when the rejected rows are too many (check_rejects()).
RowMatches match_rows(const RowQuery& query, const std::string& path, const std::string& rejects = {});

/// A table with tabs and the header "query id fingerprint distance", or JSON Lines with these members when the path ends in .jsonl (before
/// a compression suffix); fingerprints in the form of the rows.
void write_neighbours(const std::string& path, const RowQuery& query, std::span<const RowNeighbour> neighbours);

}  // namespace neardup
