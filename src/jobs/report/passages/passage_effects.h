// What removing a passage from all texts would change: of some removals, how many have it, and how many would not match any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "jobs/report/passages/common_passages.h"
#include "jobs/report/passages/pair_judge.h"

namespace neardup {

/// A removed text and that of its keeper.
struct RemovedTexts {
  std::string removed;
  std::string keeper;
  std::string block{};  ///< Record::block of both
};

struct PassageEffect {
  uint64_t removals = 0;  ///< whose removed text has the passage
  uint64_t without = 0;   ///< of these, pairs that match, but not without it
  friend bool operator==(const PassageEffect&, const PassageEffect&) = default;
};

/// One for each passage. A pair that does not match as it is, such as one connected by others, counts in `removals` only.
std::vector<PassageEffect> passage_effects(std::span<const CommonPassage> passages, std::span<const RemovedTexts> pairs,
                                           const PairJudge& judge);

}  // namespace neardup
