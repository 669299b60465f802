// Joins groups: from candidates to pairs. Unlike the scan rule, a join takes no document out: every candidate pair is compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "dedup/match/for_groups.h"
#include "dedup/match/group_inputs.h"

namespace neardup {

/// Calls emit(worker, a, b, overlap) once for every matching pair of candidates (documents), from several threads, in no fixed order.
using EmitPair = std::function<void(uint32_t worker, uint32_t a, uint32_t b, const Overlap&)>;
void join_groups(const GroupInputs& in, const EmitPair& emit, GroupStats& stats, size_t small_group = kSmallGroup);

}  // namespace neardup
