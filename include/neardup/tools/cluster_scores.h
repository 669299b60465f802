// Scores of a clustering against a true one: pairs, adjusted Rand index, B-cubed, V-measure; and of the kept documents.
//
//   const neardup::ClusterScores scores = neardup::score_clusters(found, truth);
//   std::printf("F1 %.4f, ARI %.4f\n", scores.pairs.f1(), scores.adjusted_rand);
//
// A clustering is one label per document; labels are any numbers. Everything is computed from the table of how many documents have which
// two labels, in n log n: never from pairs, of which a cluster of a million documents has half a billion. Results do not depend on the
// values of labels beyond rounding.
//
// Implemented in src/jobs/evaluate/cluster_scores.cc.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace neardup {

/// Of a document whose true cluster is unknown: all scores leave it out.
inline constexpr uint32_t kNoLabel = std::numeric_limits<uint32_t>::max();

/// Pairs of documents. Without pairs to judge, precision and recall are 1.
struct PairCounts {
  uint64_t right = 0;  ///< both found and true
  uint64_t found = 0;
  uint64_t truth = 0;

  [[nodiscard]] double precision() const noexcept { return found == 0 ? 1 : static_cast<double>(right) / static_cast<double>(found); }
  [[nodiscard]] double recall() const noexcept { return truth == 0 ? 1 : static_cast<double>(right) / static_cast<double>(truth); }
  [[nodiscard]] double f1() const noexcept {
    return found + truth == 0 ? 1 : 2 * static_cast<double>(right) / static_cast<double>(found + truth);
  }
  friend bool operator==(const PairCounts&, const PairCounts&) = default;
};

/// The harmonic mean; 0 if both are 0.
inline double harmonic_mean(double a, double b) noexcept {
  return a + b == 0 ? 0 : 2 * a * b / (a + b);
}

struct ClusterScores {
  uint64_t documents = 0;  ///< with a label in both
  uint64_t found_clusters = 0;
  uint64_t true_clusters = 0;
  PairCounts pairs;          ///< documents in one cluster
  double adjusted_rand = 1;  ///< Hubert and Arabie 1985; 1 if both clusterings are equal
  double bcubed_precision = 1;
  double bcubed_recall = 1;
  double homogeneity = 1;  ///< Rosenberg and Hirschberg 2007
  double completeness = 1;

  [[nodiscard]] double bcubed_f1() const noexcept { return harmonic_mean(bcubed_precision, bcubed_recall); }
  [[nodiscard]] double v_measure() const noexcept { return harmonic_mean(homogeneity, completeness); }
};

/// Requires spans of equal size.
ClusterScores score_clusters(std::span<const uint32_t> found, std::span<const uint32_t> truth);

/// How many documents were kept of each true cluster.
struct KeptScores {
  uint64_t clusters = 0;
  uint64_t one_kept = 0;         ///< right
  uint64_t several_kept = 0;     ///< duplicates are left
  uint64_t none_kept = 0;        ///< lost: all documents were removed because of documents of other clusters
  uint64_t duplicates_left = 0;  ///< kept documents beyond the first of their clusters
  uint64_t kept = 0;

  [[nodiscard]] double correct() const noexcept {
    return clusters == 0 ? 1 : static_cast<double>(one_kept) / static_cast<double>(clusters);
  }
};

/// `kept` has one entry per document: not 0 if it is kept. Requires spans of equal size.
KeptScores score_kept(std::span<const uint8_t> kept, std::span<const uint32_t> truth);

}  // namespace neardup
