// The planned Hamming index as text and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/tools/hamming_prediction.h"

namespace neardup::cli {

struct IndexQuestion {
  uint64_t documents = 0;
  uint32_t bits = 64;
  uint32_t distance = 3;
  HammingPlanBudget budget;
};

struct IndexAnswer {
  HammingPlan plan;
  HammingPrediction costs;
};

/// Of fingerprints as uniform as a good hash makes them.
IndexAnswer answer_of(const IndexQuestion& question, const MachineSpeed& speed);

/// "1.7 us a query", or "3.1 minutes for all pairs".
std::string work_text(const IndexAnswer& answer, const IndexQuestion& question);

std::string index_text(const IndexQuestion& question, const IndexAnswer& answer, bool measured);
std::string index_json(const IndexQuestion& question, const IndexAnswer& answer);

}  // namespace neardup::cli
