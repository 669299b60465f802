// with_index: opens an index folder whichever width its fingerprints have.
#pragma once

#include <filesystem>
#include <string>

#include "neardup/hamming_store.h"

namespace neardup::cli {

/// True if the folder is one; what is in it may be damaged all the same.
inline bool is_index(const std::string& folder) {
  return std::filesystem::exists(std::filesystem::path(folder) / "MANIFEST");
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

template <typename Code>
Code narrow(Fingerprint128 code) noexcept {
  if constexpr (Code::kBits == Fingerprint64::kBits) {
    return code.low_half();
  } else {
    return code;
  }
}

}  // namespace neardup::cli
