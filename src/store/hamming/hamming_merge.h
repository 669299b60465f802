// merge_segments: makes one segment out of the smallest ones of a Hamming store (store_merge.h).
#pragma once

#include "store/hamming/open_hamming_store.h"

namespace neardup {

/// Merges the smallest segments until at most `max_segments` (at least 1) remain. Entries are streamed through temporary files,
/// and names directly from segment to segment.
template <typename Code>
void merge_segments(OpenHammingStore<Code>& store, size_t max_segments, const HammingStoreBuild& build);

extern template void merge_segments<Fingerprint64>(OpenHammingStore<Fingerprint64>&, size_t, const HammingStoreBuild&);
extern template void merge_segments<Fingerprint128>(OpenHammingStore<Fingerprint128>&, size_t, const HammingStoreBuild&);

}  // namespace neardup
