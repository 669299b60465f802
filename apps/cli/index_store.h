// with_index: opens an index folder whichever width its fingerprints have.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "neardup/error.h"
#include "neardup/hamming_store.h"

namespace neardup::cli {

/// True if the folder is one; what is in it may be damaged all the same. Throws Error{kInput} when nobody can tell.
inline bool is_index(const std::string& folder) {
  std::error_code error;
  const bool found = std::filesystem::exists(std::filesystem::path(folder) / "MANIFEST", error);
  if (error) throw Error(ErrorCode::kInput, fmt::format("cannot read '{}': {}", folder, error.message()));
  return found;
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
