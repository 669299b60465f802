// What kind of index a folder holds. Whether it holds one at all: find_hamming_store() (neardup/hamming_store.h), for all kinds.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

enum class IndexKind {
  kHamming,  ///< fingerprints: HammingStore
  kClue,     ///< texts, for clue search
};

/// "hamming", "clue".
std::string_view index_kind_name(IndexKind kind) noexcept;

/// The kind of the index in the folder. Throws Error{kInput} when there is none, it is damaged, or this program does not know its kind.
IndexKind index_kind(const std::string& folder);

}  // namespace neardup
