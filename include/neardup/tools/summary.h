// Summary: the results of a run, for programs and for people. Filled by dedup(), pairs() and the other jobs that read a corpus.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/tools/rejects.h"

namespace neardup {

struct PassReport {
  std::string name;
  double seconds = 0;
  uint64_t bytes = 0;  ///< of text or data that the pass processed
};

/// A document, or an entry of an index.
struct NamedDocument {
  std::string id;  ///< the user's; empty if it has none
  std::string source;
  uint64_t row = 0;

  [[nodiscard]] std::string name() const;  ///< the id, or SOURCE:ROW
};

/// The removed documents with a similarity to their keeper in one range: in millionths, from `from` to below `to`, which is in the range
/// if it is 1,000,000. Of fingerprints: with a distance of `from` to `to`, inclusive.
struct RemovalBand {
  uint32_t from = 0;
  uint32_t to = 0;
  uint64_t removed = 0;
  friend bool operator==(const RemovalBand&, const RemovalBand&) = default;
};

struct RemovedPair {
  NamedDocument removed;
  NamedDocument keeper;
  double similarity = 0;
  uint32_t distance = 0;  ///< of fingerprints that were judged by it
};

/// The results of a run. read == kept + removed + rejected, always.
struct Summary {
  uint64_t read = 0;
  uint64_t kept = 0;
  uint64_t removed = 0;
  uint64_t rejected = 0;
  RejectCounts rejected_by_kind;         ///< add up to rejected
  uint64_t exact_copies = 0;             ///< removed as exact copies
  uint64_t near_duplicates = 0;          ///< removed by similarity
  uint64_t contained = 0;                ///< removed because their keeper contains them (measure = containment)
  uint64_t connected = 0;                ///< removed although below the threshold to their keeper (cluster = components)
  uint64_t clusters = 0;                 ///< keepers with at least one removed document
  uint64_t largest_cluster = 0;          ///< its documents: the keeper and those removed because of it; 0: no cluster
  NamedDocument largest_cluster_keeper;  ///< of clusters of equal size, that of the first keeper in document order
  /// Of the removed documents that are not exact copies, in descending order of similarity; empty if there are none.
  std::vector<RemovalBand> similarity_bands;
  std::vector<RemovalBand> distance_bands;  ///< instead of these, if fingerprints were judged by their distance
  /// The three least similar removals, the least similar first, then in document order; without exact copies, and copies of a removed
  /// document count once.
  std::vector<RemovedPair> least_similar;
  bool estimated = false;            ///< the similarities of removals are estimates (verify = false)
  bool has_verdicts = false;         ///< the run decided about documents; otherwise kept documents are those not rejected
  uint64_t short_texts = 0;          ///< matched by exact hash only
  uint64_t protected_documents = 0;  ///< documents that Options::protect names
  uint64_t spared = 0;               ///< of these, kept although they match a kept document
  uint64_t repaired = 0;             ///< texts with malformed UTF-8 or lone surrogates, read as U+FFFD
  uint64_t malformed_texts = 0;      ///< of these, text files with bytes that are not of their charset
  uint64_t invalid_ids = 0;          ///< documents whose id is neither a string nor a number; they count as without one
  uint64_t duplicate_ids = 0;
  uint64_t without_rank_value = 0;   ///< documents without a number at the field of max: or min:
  uint64_t reference_documents = 0;  ///< documents of the corpus given by against; in none of the counts above
  uint64_t reference_rejected = 0;   ///< of these, records that could not be read
  RejectCounts reference_rejected_by_kind;
  uint64_t reference_entries = 0;  ///< of the indexes given by against
  uint64_t reference_matches = 0;  ///< documents removed because of one of these
  uint64_t text_bytes = 0;         ///< of all texts that were read, the reference corpus included
  uint64_t pairs = 0;              ///< pairs(): reported pairs
  uint64_t candidate_documents = 0;
  uint64_t verifications = 0;
  uint64_t capped_documents = 0;  ///< documents that met max_candidates
  uint64_t largest_group = 0;     ///< documents connected by shared bands, at most
  /// What verified pairs: "jaccard", "weighted-jaccard", "cosine", "containment", "distance"; "none": nothing. Empty: no pairs were looked
  /// for.
  std::string measure;
  uint32_t slices = 0;  ///< number of slices (Options::batch)
  uint32_t bands = 0;
  uint32_t rows_per_band = 0;
  /// Under measure = containment and search = lsh: the number of features of a text by which its containers were found; 0 otherwise.
  uint32_t sample_features = 0;
  uint32_t sample_certain = 0;    ///< no container was missed of a text with at most so many features
  uint32_t fingerprint_bits = 0;  ///< 0: no fingerprints were compared
  uint32_t max_distance = 0;      ///< of fingerprints, inclusive
  /// Probability that a pair exactly at the threshold shares no band (the signature filter adds 1e-6); where features are weighed, a pair
  /// whose Jaccard similarity without weights is the threshold; with `sample_features`, the highest that a container is missed of a text
  /// with more than `sample_certain` features.
  double predicted_miss = 0;
  uint64_t spilled_bytes = 0;  ///< depends on the timing of threads when memory is short, as the next one
  uint64_t peak_memory_bytes = 0;
  uint64_t recipe_id = 0;
  std::string recipe_name;
  std::string kernels;
  uint32_t threads = 0;
  std::vector<PassReport> passes;
  std::vector<std::string> warnings;  ///< one line each, the first few of every kind, with source and line

  [[nodiscard]] std::string to_json() const;
  /// For people, several lines. `verbose`: also how pairs were searched, the passes and their times, and the machine.
  [[nodiscard]] std::string to_text(bool verbose = false) const;
};

}  // namespace neardup
