// What LSH may see of a pair: do the signatures share a band? Computed here from the slow MinHash.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "index/lsh/lsh_plan.h"
#include "neardup/sketcher.h"
#include "sketch/signature_hasher.h"

namespace neardup::testing {

class BandOracle {
 public:
  BandOracle(const std::vector<std::string_view>& texts, const Recipe& recipe, const LshPlan& plan) : plan_(plan) {
    const Sketcher sketcher(recipe);
    Sketcher::Scratch scratch;
    for (const std::string_view text : texts) {
      signatures_.emplace_back(recipe.lanes);
      signature_reference(sketcher.features(text, scratch), recipe, signatures_.back());
    }
  }
  bool operator()(size_t a, size_t b) const {
    for (uint32_t band = 0; band < plan_.bands; ++band) {
      const auto at = static_cast<ptrdiff_t>(band * plan_.rows);
      if (std::equal(signatures_[a].begin() + at, signatures_[a].begin() + at + plan_.rows, signatures_[b].begin() + at)) return true;
    }
    return false;
  }

 private:
  LshPlan plan_;
  std::vector<std::vector<uint32_t>> signatures_;
};

}  // namespace neardup::testing
