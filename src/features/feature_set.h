// Feature sets: sorted, unique 64-bit hashes. A MinHash and the Jaccard similarity see nothing else of a text; fingerprints and the cosine
// also use weights, which are stored next to them (weighting.h, cosine.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/raw_vector.h"

namespace neardup {

/// Sorts and makes unique, in place. `space` is scratch. Linear for hashes (uniform values); correct for any values.
void make_feature_set(RawVector<uint64_t>& features, RawVector<uint64_t>& space);

/// Drops most repetitions and keeps the order of the rest. Costs one table lookup per value, much less than a repetition costs later; worth
/// it where texts repeat themselves, as long texts repeat short character n-grams.
void drop_most_repetitions(RawVector<uint64_t>& features);

/// Drops all repetitions, in place; the order of the rest is unspecified. `space` is scratch. For what only asks which values there are:
/// cheaper than make_feature_set() for hashes, dearer where many values agree in their low bits; correct for any values.
void drop_repetitions(RawVector<uint64_t>& features, RawVector<uint64_t>& space);

/// The size of the intersection of two feature sets.
uint32_t count_common(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept;

/// The same if it is at least `required`; otherwise any value below `required` (the loop may stop early).
uint32_t count_common_at_least(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t required) noexcept;

/// True if there are at least `min_count` distinct values. Stops as soon as the answer is certain.
bool has_distinct(std::span<const uint64_t> values, uint32_t min_count);

}  // namespace neardup
