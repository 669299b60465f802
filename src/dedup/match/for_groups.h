// for_groups(): hands the groups of a run to workers by their size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/parallel.h"
#include "dedup/match/candidates/candidates.h"

namespace neardup {

/// Groups up to this size are compared pair by pair. Tests lower it to solve small groups as large ones.
inline constexpr size_t kSmallGroup = 256;

/// Calls small(worker, group) in parallel for the small groups and large(group) one by one for the others, which are parallel inside.
template <typename Small, typename Large>
void for_groups(const Candidates& candidates, uint32_t threads, size_t small_group, const Small& small, const Large& large) {
  parallel_for(threads, candidates.group_count(), 64, [&](uint32_t worker, size_t g) {
    if (candidates.group(g).size() <= small_group) small(worker, candidates.group(g));
  });
  for (size_t g = 0; g < candidates.group_count(); ++g) {
    if (candidates.group(g).size() > small_group) large(candidates.group(g));
  }
}

}  // namespace neardup
