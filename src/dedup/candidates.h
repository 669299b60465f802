// Candidates: the documents that may resemble another one, in groups that can be solved independently.
//
// A group is a connected component of the graph "shares a band key" (Search::kLsh), or all documents together (Search::kExact). Only
// representatives of exact copies, with features, take part. Candidates have ordinals in document order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/document_table.h"
#include "dedup/union_find.h"
#include "index/band_keys.h"

namespace neardup {

struct Candidates {
  std::vector<uint32_t> documents;    ///< ordinal -> document, ascending
  std::vector<uint32_t> group_begin;  ///< group g is members[group_begin[g] .. group_begin[g + 1]); groups by least document
  std::vector<uint32_t> members;      ///< ordinals, by group, in rank order within one
  std::vector<uint8_t> key_rows;      ///< ordinal -> its band keys (BandKeys::row_bytes each); empty for Search::kExact

  [[nodiscard]] size_t group_count() const noexcept { return group_begin.empty() ? 0 : group_begin.size() - 1; }
  [[nodiscard]] std::span<const uint32_t> group(size_t g) const noexcept {
    return {members.data() + group_begin[g], group_begin[g + 1] - group_begin[g]};
  }
};

/// copy_of[d] is the first document in rank order with the same exact hash as d (d itself if it is that one).
std::vector<uint32_t> find_exact_copies(const DocumentTable& table, uint32_t threads, uint64_t memory_bytes);

/// Groups by shared bands. Takes the keys apart as it goes, to free their memory.
Candidates find_lsh_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of, BandKeys& keys, uint32_t threads, uint64_t memory_bytes);

/// One group of all documents with features.
Candidates all_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of);

}  // namespace neardup
