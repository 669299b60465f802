// Candidates: the documents that may resemble another one, in groups that can be solved independently.
//
// A group is a connected component of the graph "shares a band key, and passes the signature filter" (Search::kLsh), or all documents
// together (Search::kExact). Only representatives of exact copies, with features, take part. Candidates have ordinals in document order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/document_table.h"
#include "dedup/union_find.h"
#include "index/band_keys.h"
#include "index/signature_filter.h"

namespace neardup {

struct Candidates {
  std::vector<uint32_t> documents;    ///< ordinal -> document, ascending
  std::vector<uint32_t> group_begin;  ///< group g is members[group_begin[g] .. group_begin[g + 1]); groups by least document
  std::vector<uint32_t> members;      ///< ordinals, by group, in rank order within one
  std::vector<uint8_t> key_rows;      ///< ordinal -> its band keys (BandKeys::row_bytes each); empty for Search::kExact
  std::vector<uint8_t> filter_rows;   ///< ordinal -> its row of the signature filter (SignatureFilter::row_bytes each)

  [[nodiscard]] size_t group_count() const noexcept { return group_begin.empty() ? 0 : group_begin.size() - 1; }
  [[nodiscard]] std::span<const uint32_t> group(size_t g) const noexcept {
    return {members.data() + group_begin[g], group_begin[g + 1] - group_begin[g]};
  }
};

/// copy_of[d] is the first document in rank order with the same exact hash as d (d itself if it is that one).
std::vector<uint32_t> find_exact_copies(const DocumentTable& table, uint32_t threads, uint64_t memory_bytes);

/// What pass 1 left behind for finding candidates by LSH.
struct LshSketches {
  BandKeys keys;
  SignatureFilter filter;
  RowStore filter_rows;
};

/// Groups by shared bands. Takes the sketches apart as it goes, to free their memory. Groups larger than `prune_up_to` are left as the
/// bands give them; below, pairs that do not pass the filter connect nobody.
Candidates find_lsh_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of, LshSketches& sketches, uint32_t threads,
                               uint64_t memory_bytes, size_t prune_up_to);

/// True if the two may match as far as their sketches tell (rows of Candidates).
inline bool sketches_agree(const LshPlan& plan, const SignatureFilter& filter, const Candidates& candidates, uint32_t a,
                           uint32_t b) noexcept {
  const size_t row_bytes = BandKeys::row_bytes(plan);
  const size_t filter_bytes = filter.row_bytes();
  // The filter first: it is cheaper, and in a group that hangs together by chains it refuses most pairs.
  return filter.pass(candidates.filter_rows.data() + a * filter_bytes, candidates.filter_rows.data() + b * filter_bytes) &&
         BandKeys::share_band(plan, candidates.key_rows.data() + a * row_bytes, candidates.key_rows.data() + b * row_bytes);
}

/// One group of all documents with features.
Candidates all_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of);

}  // namespace neardup
