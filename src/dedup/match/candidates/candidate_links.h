// Links that connect candidates to groups: rows of sketches that share a band key, or have fingerprints within the distance.
//
// Several threads join; the result does not depend on them. Only rows with takes(row) are linked.
#pragma once

#include <cstdint>
#include <functional>

#include "dedup/match/candidates/candidates.h"
#include "dedup/match/candidates/union_find.h"
#include "index/lsh/band_keys.h"

namespace neardup {

using TakesRow = std::function<bool(uint32_t row)>;

void connect_by_bands(const BandKeys& keys, const LinkOptions& link, UnionFind& sets, const TakesRow& takes);
/// Builds a HammingIndex of the fingerprints in memory, next to memory_bytes: some 30 bytes a document (128 bits: up to 100).
void connect_by_distance(const CodeSketches& sketches, const LinkOptions& link, UnionFind& sets, const TakesRow& takes);

}  // namespace neardup
