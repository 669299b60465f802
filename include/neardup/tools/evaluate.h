// evaluate(): how good the decisions of a run are, against a truth.
//
//   DecisionTable   what a run decided, document by document: which it kept, and because of which document it removed others
//   Truth           which documents are duplicates of each other: clusters, or pairs
//   Evaluation      the scores of the one against the other
//   PairScorer      the same for the pairs that a search lists, with an estimate of those that it missed
//
// Memory grows with documents and listed true pairs, never with pairs of a cluster. Not thread-safe while they are filled.
//
// Implemented in src/jobs/evaluate/: decision_table.cc, decision_sink.cc, truth.cc, evaluate.cc, pair_scorer.cc.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/document.h"
#include "neardup/sink.h"
#include "neardup/source.h"
#include "neardup/tools/cluster_scores.h"
#include "neardup/tools/missed_pairs.h"

namespace neardup {

class DecisionTable {
 public:
  struct Row {
    DocumentId where;
    std::string_view name;  ///< the user's id, or SOURCE:ROW; tabs and line ends count as blanks, as in tables
    bool removed = false;
    DocumentId keeper;                   ///< of removed documents; also a document of the reference corpus
    uint32_t similarity_millionths = 0;  ///< of removed documents to their keeper
  };
  /// Any order, every document once.
  void add(const Row& row);
  /// Call it after the last add(), before anything below.
  void finish();

  [[nodiscard]] uint32_t size() const noexcept { return static_cast<uint32_t>(where_.size()); }
  [[nodiscard]] uint64_t removed() const noexcept { return removed_; }
  /// Number of documents whose name an earlier one has: a truth that names it means the earlier one.
  [[nodiscard]] uint64_t repeated_names() const noexcept { return repeated_names_; }
  [[nodiscard]] std::optional<uint32_t> find(std::string_view name) const;
  [[nodiscard]] std::optional<uint32_t> find(const DocumentId& where) const;

  /// The cluster of each document: a kept document, or one of the reference corpus, with those removed because of it.
  [[nodiscard]] std::span<const uint32_t> clusters() const noexcept { return clusters_; }
  /// Not 0 for kept documents.
  [[nodiscard]] std::span<const uint8_t> kept() const noexcept { return kept_; }
  [[nodiscard]] uint32_t similarity_millionths(uint32_t document) const noexcept { return similarities_[document]; }
  /// The keeper of a removed document; nothing if that is a reference document.
  [[nodiscard]] std::optional<uint32_t> keeper(uint32_t document) const noexcept;

 private:
  std::vector<DocumentId> where_;
  std::vector<DocumentId> keepers_;  // until finish()
  std::vector<uint8_t> kept_;
  std::vector<uint32_t> similarities_;
  std::vector<uint32_t> clusters_;  // the number of the keeper; from size() on: a reference document
  std::vector<uint32_t> by_place_;
  std::vector<std::pair<uint64_t, uint32_t>> names_;  // hash and document, sorted
  uint64_t removed_ = 0;
  uint64_t repeated_names_ = 0;
};

/// One of both kinds: labels, or pairs.
class Truth {
 public:
  /// Of as many documents as the table has, none with a label.
  explicit Truth(const DecisionTable& table);

  /// The cluster of a document, by any name. The last one counts.
  void label(uint32_t document, std::string_view cluster);
  /// Two documents that are duplicates, with their similarity if it is known. All documents without a pair are singletons. A pair may be
  /// added twice.
  void pair(uint32_t a, uint32_t b, std::optional<uint32_t> similarity_millionths);
  /// A row of a truth file that names no document of the table.
  void unknown() noexcept { ++unknown_; }
  /// Call it after the last of these, before anything below.
  void finish();

  struct Pair {
    uint32_t a;  ///< below b
    uint32_t b;
    uint32_t similarity_millionths;  ///< kUnknown: not given
  };
  static constexpr uint32_t kUnknown = ~uint32_t{0};
  [[nodiscard]] bool by_pairs() const noexcept { return by_pairs_; }
  /// Sorted by a, then b; each once. Empty for a truth by labels.
  [[nodiscard]] std::span<const Pair> pairs() const noexcept { return pairs_; }
  /// The clusters: labels as numbers, or the connected components of the pairs. kNoLabel: unknown.
  [[nodiscard]] std::span<const uint32_t> labels() const noexcept { return labels_; }
  [[nodiscard]] uint64_t unknown_rows() const noexcept { return unknown_; }
  /// Index in pairs(), if it is a true pair.
  [[nodiscard]] std::optional<size_t> find_pair(uint32_t a, uint32_t b) const;
  /// Whether two documents are duplicates; nothing if that is not known.
  [[nodiscard]] std::optional<bool> duplicates(uint32_t a, uint32_t b) const;

 private:
  bool by_pairs_ = false;
  std::vector<Pair> pairs_;
  std::vector<uint32_t> labels_;
  std::map<std::string, uint32_t, std::less<>> names_;  // of labels, until finish()
  uint64_t unknown_ = 0;
};

/// One range of similarities, from `from` to below `to` millionths; the last one is 1 alone: the exact copies.
struct BandScore {
  uint32_t from = 0;
  uint32_t to = 0;
  uint64_t found = 0;        ///< found pairs with such a similarity whose truth is known
  uint64_t right = 0;        ///< of these, duplicates
  uint64_t truth = 0;        ///< true pairs with such a similarity
  uint64_t truth_found = 0;  ///< of these, found

  [[nodiscard]] double precision() const noexcept { return PairCounts{right, found, 0}.precision(); }
  [[nodiscard]] double recall() const noexcept { return PairCounts{truth_found, 0, truth}.recall(); }
  [[nodiscard]] double f1() const noexcept { return harmonic_mean(precision(), recall()); }
};

/// Bands of 0.05; only those with a count are returned.
class BandCounts {
 public:
  void add_found(uint32_t similarity_millionths, bool right);
  void add_truth(uint32_t similarity_millionths, bool found);
  [[nodiscard]] std::vector<BandScore> scores() const;

 private:
  BandScore& band(uint32_t similarity_millionths);
  std::map<uint32_t, BandScore> bands_;
};

struct Evaluation {
  uint64_t documents = 0;
  uint64_t removed = 0;
  uint64_t labelled = 0;  ///< documents whose true cluster is known
  uint64_t unknown_rows = 0;
  uint64_t repeated_names = 0;
  bool by_pairs = false;
  bool similarities_known = false;  ///< of true pairs: the bands have recalls
  /// Pairs of documents in one cluster of the run, against pairs of the truth: the listed ones, or those of one true cluster.
  PairCounts pairs;
  ClusterScores clusters;
  KeptScores kept;
  /// Found pairs are removed documents with their keepers here; a true pair is found if both are in one cluster of the run.
  std::vector<BandScore> bands;
};

Evaluation evaluate(const DecisionTable& table, const Truth& truth);

struct PairEvaluation {
  PairCounts pairs;  ///< without pairs whose truth is not known
  bool similarities_known = false;
  std::vector<BandScore> bands;
  MissedPairs missed;
};

/// A sink of dedup() that fills a table; call DecisionTable::finish() afterwards. Neither is owned.
std::unique_ptr<Sink> make_decision_sink(const DocumentSource& source, DecisionTable& table);

/// Judges the pairs of pairs(). `table` and `truth` outlive it. commit() does nothing.
class PairScorer final : public PairSink {
 public:
  /// Bands and rows of the search: see MissedPairsEstimator.
  PairScorer(const DecisionTable& table, const Truth* truth, uint32_t bands, uint32_t rows_per_band);

  void append(const End& a, const End& b, double similarity) override;
  void commit() override {}
  void withdraw() noexcept override {}
  [[nodiscard]] PairEvaluation result() const;

 private:
  const DecisionTable& table_;
  const Truth* const truth_;  // null: only missed pairs are estimated
  MissedPairsEstimator estimator_;
  BandCounts bands_;
  PairCounts pairs_;
  std::vector<bool> found_;  // by index in Truth::pairs()
};

/// The removed documents with their keepers as found pairs: how many documents were kept because the search missed their keepers.
MissedPairs estimate_missed_keepers(const DecisionTable& table, uint32_t bands, uint32_t rows_per_band);

}  // namespace neardup
