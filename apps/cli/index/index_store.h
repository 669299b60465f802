// is_index, is_clue_index: whether a folder is an index, and of which kind. with_index: opens one with fingerprints of either width.
#pragma once

#include <fmt/format.h>

#include <string>

#include "neardup/error.h"
#include "neardup/hamming_store.h"
#include "neardup/tools/index_folder.h"

namespace neardup::cli {

/// True if the folder is an index; it may still be damaged or unfinished, which opening it reports. Throws Error{kInput} when the system
/// cannot tell.
inline bool is_index(const std::string& folder) {
  const HammingStorePlace place = find_hamming_store(folder);
  return place == HammingStorePlace::kStore || place == HammingStorePlace::kUnfinished;
}

/// True if the folder is a clue index. Throws Error{kInput} when it is a damaged index, or of a kind that is not known.
inline bool is_clue_index(const std::string& folder) {
  return find_hamming_store(folder) == HammingStorePlace::kStore && index_kind(folder) == IndexKind::kClue;
}

/// Throws Error{kUsage} that says what a clue index is for, if the folder is one.
inline void require_fingerprints(const std::string& folder) {
  if (!is_clue_index(folder)) return;
  throw Error(ErrorCode::kUsage, fmt::format("the index '{}' has texts, not fingerprints: neardup search finds passages in it", folder));
}

/// Returns work(store). Throws the errors of opening and of work(), and that of require_fingerprints().
template <typename Work>
auto with_index(const std::string& folder, HammingAccess access, const Work& work) {
  require_fingerprints(folder);
  if (hamming_store_spec(folder).bits == Fingerprint64::kBits) {
    auto store = HammingStore64::open(folder, access);
    return work(store);
  }
  auto store = HammingStore128::open(folder, access);
  return work(store);
}

}  // namespace neardup::cli
