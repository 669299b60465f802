// The Hamming self-join: all pairs of codes that differ in at most `radius` bits. Exact: misses none, whatever the plan.
//
// Equal codes are grouped first and only one of each goes on, so a million equal codes cost a sort. Then every table of the plan groups
// the distinct codes by its key and compares those that share it; a pair belongs to the first table that it shares, so it comes once.
// Groups of many codes are compared in tiles by all threads. Data without structure costs what the plan says; n distinct codes that all
// share the key of a table cost n^2 / 2 comparisons in the first such table, at about half a nanosecond each.
//
// Calls come from several threads at once, in no fixed order; their set depends on the codes and the radius only. Rows are positions in
// `codes`, of which there are at most limits::kMaxDocuments. Memory: about 2 codes and 12 bytes a code beside `run.memory_bytes`.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "index/hamming_groups.h"
#include "index/join_plan.h"
#include "neardup/fingerprint.h"

namespace neardup {

/// emit(worker, a, b, distance) with a < b and worker < run.threads.
using EmitHammingPair = std::function<void(uint32_t worker, uint32_t a, uint32_t b, uint32_t distance)>;

/// Every pair of rows once, those of equal codes among them: c equal codes have c (c - 1) / 2.
void hamming_join(std::span<const Fingerprint64> codes, const JoinPlan& plan, const HammingRun& run, const EmitHammingPair& emit);
void hamming_join(std::span<const Fingerprint128> codes, const JoinPlan& plan, const HammingRun& run, const EmitHammingPair& emit);

/// Enough pairs to connect, by union-find, all rows that have a chain of pairs between them: every later row of a code with the first one
/// of that code, and the first rows of all pairs of distinct codes. Grows with the rows and the pairs of distinct codes, never with the
/// square of equal ones.
void hamming_connect(std::span<const Fingerprint64> codes, const JoinPlan& plan, const HammingRun& run, const EmitHammingPair& emit);
void hamming_connect(std::span<const Fingerprint128> codes, const JoinPlan& plan, const HammingRun& run, const EmitHammingPair& emit);

}  // namespace neardup
