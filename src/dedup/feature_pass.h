// Pass 2: the features of the candidates, from the same text by the same left half of the line, in input order.
#pragma once

#include "dedup/corpus/feature_store.h"
#include "dedup/match/candidates.h"
#include "dedup/pass/batch_line.h"
#include "dedup/run_folder/pass_journal.h"
#include "neardup/sketcher.h"

namespace neardup {

struct FeaturePassInputs {
  DocumentSource& source;
  const Sketcher& sketcher;
  const DocumentTable& table;
  const Candidates& candidates;
  uint32_t threads = 1;
  const PassMonitor& monitor;
  PassJournal* journal = nullptr;  ///< batches that it has are taken from it, the others are put into it; null: none
};

/// Appends the feature sets of candidates.documents to `store`, in order; and their weights, in the order of the features, to `weights`
/// unless it is null.
void run_feature_pass(const FeaturePassInputs& inputs, FeatureStore& store, FeatureStore* weights);

}  // namespace neardup
