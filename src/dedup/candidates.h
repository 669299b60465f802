// Candidates: the documents that may resemble another one, in groups that can be solved independently.
//
// A group is a connected component of the graph "shares a band key, and passes the signature filter, or has a fingerprint within the
// distance", or all documents together (Search::kExact). Only representatives of exact copies, with features, take part. Candidates have
// ordinals in document order.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dedup/candidate_rows.h"
#include "dedup/document_table.h"
#include "dedup/pass_steps.h"
#include "dedup/union_find.h"
#include "index/band_keys.h"
#include "index/signature_filter.h"
#include "neardup/fingerprint.h"

namespace neardup {

struct Candidates {
  std::vector<uint32_t> documents;    ///< ordinal -> document, ascending
  std::vector<uint32_t> group_begin;  ///< group g is members[group_begin[g] .. group_begin[g + 1]); groups by least document
  std::vector<uint32_t> members;      ///< ordinals, by group, in rank order within one
  CandidateRows key_rows;             ///< ordinal -> its band keys (BandKeys::row_bytes each); empty for Search::kExact
  CandidateRows filter_rows;          ///< ordinal -> its row of the signature filter (SignatureFilter::row_bytes each)
  std::vector<Fingerprint128> codes;  ///< ordinal -> its fingerprint; empty when there are none
  std::vector<uint8_t> lacks;         ///< ordinal -> which sketches it has not (Lack); empty: every one has all
  enum Lack : uint8_t { kSignature = 1, kCode = 2 };

  [[nodiscard]] bool has_signature(uint32_t ordinal) const noexcept { return lacks.empty() || (lacks[ordinal] & kSignature) == 0; }
  [[nodiscard]] bool has_code(uint32_t ordinal) const noexcept { return lacks.empty() || (lacks[ordinal] & kCode) == 0; }

  [[nodiscard]] size_t largest_group() const noexcept;
  [[nodiscard]] size_t group_count() const noexcept { return group_begin.empty() ? 0 : group_begin.size() - 1; }
  [[nodiscard]] std::span<const uint32_t> group(size_t g) const noexcept {
    return {members.data() + group_begin[g], group_begin[g + 1] - group_begin[g]};
  }
};

/// copy_of[d] is the first document in rank order with the same exact hash as d (d itself if it is that one). `known` is the answer for
/// the first documents, if they are all ranked before the others.
std::vector<uint32_t> find_exact_copies(const DocumentTable& table, uint32_t threads, uint64_t memory_bytes,
                                        std::vector<uint32_t> known = {});

/// What pass 1 left behind for finding candidates by LSH.
struct LshSketches {
  BandKeys keys;
  SignatureFilter filter;
  RowStore filter_rows;
};

/// The fingerprints that pass 1 left behind, by row; one that has none counts for nothing.
struct CodeSketches {
  uint32_t bits = 64;
  uint32_t max_distance = 0;
  std::vector<Fingerprint128> codes;
};

/// What pass 1 left behind for finding candidates; one of them at least. With both, `lacks` says which row has not which
/// (Candidates::Lack).
///
/// There is a row for every document that was kept in an earlier slice, then one for every document of this one.
struct Sketches {
  std::optional<LshSketches> lsh;
  std::optional<CodeSketches> codes;
  std::vector<uint8_t> lacks;
  std::vector<uint32_t> kept;  ///< of earlier slices, ascending
  uint32_t slice_begin = 0;    ///< the first document of this one
  bool needed_later = false;   ///< another slice follows: finding candidates leaves them as they are

  [[nodiscard]] uint32_t document(uint32_t row) const noexcept {
    return row < kept.size() ? kept[row] : slice_begin + (row - static_cast<uint32_t>(kept.size()));
  }
  /// Of a document of this slice.
  [[nodiscard]] uint32_t row(uint32_t document) const noexcept { return document - slice_begin + static_cast<uint32_t>(kept.size()); }
  /// Only rows with stays(document) stay, and those of the next slice, which begins at `next_slice`, will follow.
  void keep(uint32_t next_slice, const std::function<bool(uint32_t document)>& stays);
};

struct LinkRun {
  uint32_t threads = 1;
  uint64_t memory_bytes = 0;      ///< for grouping and sorting
  std::string temp_directory;     ///< for what exceeds it
  uint64_t key_row_bytes = 0;     ///< of the candidates' band keys, in memory
  uint64_t filter_row_bytes = 0;  ///< of the candidates' rows of the signature filter, in memory
  PassSteps* steps = nullptr;     ///< told of progress, and asked whether to stop; null: nobody
};

/// Groups by shared bands and by the distance of fingerprints. Takes the sketches apart as it goes, to free their memory, unless they are
/// needed later. Groups larger than `prune_up_to` are left as they come; below, pairs that only share a band but do not pass the filter
/// connect nobody. Groups of settled documents alone are none.
Candidates find_sketch_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of, Sketches& sketches, const LinkRun& run,
                                  size_t prune_up_to);

/// True if nothing but its features decides about it: it has some, and is no copy.
bool takes_part(const DocumentTable& table, std::span<const uint32_t> copy_of, uint32_t document) noexcept;

/// One group of all documents with features.
Candidates all_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of);

}  // namespace neardup
