// Candidates: the documents that may resemble another one, in groups that can be solved independently.
//
// A group is a connected component of the graph "shares a band key, and passes the signature filter, or has a fingerprint within the
// distance", or all documents together (Search::kExact). Only representatives of exact copies, with features, take part. Candidates have
// ordinals in document order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dedup/corpus/document_table.h"
#include "dedup/corpus/sketches.h"
#include "dedup/match/candidates/candidate_rows.h"
#include "dedup/match/candidates/union_find.h"
#include "dedup/pass/pass_progress.h"
#include "neardup/fingerprint.h"

namespace neardup {

struct CandidateGroups {
  std::vector<uint32_t> documents;    ///< ordinal -> document, ascending
  std::vector<uint32_t> group_begin;  ///< group g is members[group_begin[g] .. group_begin[g + 1]); groups by least document
  std::vector<uint32_t> members;      ///< ordinals, by group, in rank order within one

  [[nodiscard]] size_t largest_group() const noexcept;
  [[nodiscard]] size_t group_count() const noexcept { return group_begin.empty() ? 0 : group_begin.size() - 1; }
  [[nodiscard]] std::span<const uint32_t> group(size_t g) const noexcept {
    return {members.data() + group_begin[g], group_begin[g + 1] - group_begin[g]};
  }
};

struct Candidates : CandidateGroups {
  CandidateRows key_rows;                 ///< ordinal -> its band keys (BandKeys::row_bytes each); empty for Search::kExact
  CandidateRows filter_rows;              ///< ordinal -> its row of the signature filter (SignatureFilter::row_bytes each)
  std::vector<Fingerprint128> codes;      ///< ordinal -> its fingerprint; empty when there are none
  std::vector<uint8_t> missing_sketches;  ///< ordinal -> bit mask of its missing sketches (Sketch); empty: none is missing
  enum Sketch : uint8_t { kSignature = 1, kCode = 2 };

  [[nodiscard]] bool has_signature(uint32_t ordinal) const noexcept {
    return missing_sketches.empty() || (missing_sketches[ordinal] & kSignature) == 0;
  }
  [[nodiscard]] bool has_code(uint32_t ordinal) const noexcept {
    return missing_sketches.empty() || (missing_sketches[ordinal] & kCode) == 0;
  }
};

/// Resources for linking documents.
struct LinkOptions {
  uint32_t threads = 1;
  uint64_t memory_bytes = 0;         ///< for grouping and sorting
  std::string temp_dir;              ///< for what exceeds it
  uint64_t key_row_bytes = 0;        ///< of the candidates' band keys, in memory
  uint64_t filter_row_bytes = 0;     ///< of the candidates' rows of the signature filter, in memory
  PassProgress* progress = nullptr;  ///< finished bands are reported to it; may be null
};

/// Groups by shared bands and by the distance of fingerprints. Frees the sketches as it proceeds, unless they are needed later. Groups
/// larger than `prune_up_to` are not split; in smaller ones, pairs that share a band but do not pass the filter are not connected. Groups
/// of only decided documents are dropped.
Candidates find_sketch_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of, Sketches& sketches,
                                  const LinkOptions& link, size_t prune_up_to);

/// The result of find_sketch_candidates() for known groups. Every document of them has a row of `sketches`.
Candidates candidates_of_groups(CandidateGroups groups, Sketches& sketches, const LinkOptions& link);

/// One group of all documents with features.
Candidates all_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of);

}  // namespace neardup
