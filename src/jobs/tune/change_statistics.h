// examine_changes(): what changes between the near-duplicates of a sample, in each band of similarity, with examples and templates.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "jobs/tune/sample_pairs.h"
#include "neardup/tools/tune.h"

namespace neardup {

/// A text of the sample as the examination needs it.
struct SampleText {
  std::string_view text;
  std::string_view name;  ///< the user's id, or SOURCE:ROW
};

/// Fills everything of `result` that is about changes: bands, examined, kinds, block_characters, templates. `share` is that of the sample
/// in the corpus.
void examine_changes(const std::vector<SampleText>& texts, const SamplePairs& pairs, double share, uint32_t threads, TunePairs& result);

}  // namespace neardup
