// is_index: whether a folder is an index. with_index: opens one, whichever width its fingerprints have.
#pragma once

#include <string>

#include "neardup/hamming_store.h"

namespace neardup::cli {

/// True if the folder is one; it may be damaged or unfinished all the same, which opening it says. Throws Error{kInput} when the system
/// cannot tell.
inline bool is_index(const std::string& folder) {
  const HammingStorePlace place = find_hamming_store(folder);
  return place == HammingStorePlace::kStore || place == HammingStorePlace::kUnfinished;
}

/// Returns work(store). Throws what opening throws, and what it throws.
template <typename Work>
auto with_index(const std::string& folder, HammingAccess access, const Work& work) {
  if (hamming_store_spec(folder).bits == Fingerprint64::kBits) {
    auto store = HammingStore64::open(folder, access);
    return work(store);
  }
  auto store = HammingStore128::open(folder, access);
  return work(store);
}

}  // namespace neardup::cli
