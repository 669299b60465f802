// ScorePage: what `neardup evaluate` prints: the scores of one run or of the settings of a sweep, as text, JSON and a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/evaluate/sweep.h"
#include "neardup/tools/evaluate.h"
#include "neardup/tools/missed_pairs.h"
#include "neardup/tools/neighbour_sample.h"

namespace neardup::cli {

/// The scores of one setting.
struct Judged {
  Setting setting;  ///< of a sweep; empty otherwise
  uint64_t documents = 0;
  uint64_t removed = 0;
  std::optional<Evaluation> scores;           ///< against labels or pairs
  std::optional<NeighbourScores> neighbours;  ///< against the exact truth of a sample
  std::optional<PairEvaluation> pairs;        ///< of the pairs that the search lists
  std::optional<MissedPairs> missed;          ///< keepers of documents that the search missed; nothing: not a search by bands

  /// Of pairs in one cluster.
  [[nodiscard]] PairCounts counts() const { return scores ? scores->pairs : neighbours ? neighbours->pairs : PairCounts{}; }
};

struct ScorePage {
  std::string truth;  ///< "pairs", "clusters", "field", "sample"
  std::vector<Judged> judged;

  [[nodiscard]] std::string to_text() const;
  [[nodiscard]] std::string to_json() const;
  /// One line a setting.
  [[nodiscard]] std::string to_table() const;
};

}  // namespace neardup::cli
