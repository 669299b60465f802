// What kind of index a folder holds. Whether it holds one at all: find_hamming_store() (neardup/hamming_store.h), for all kinds.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

enum class IndexKind {
  kHamming,  ///< fingerprints: HammingStore
  kClue,     ///< texts, for clue search
  kTables,   ///< of an online store (neardup/online_store.h), which can be made again from its records
};

/// "hamming", "clue", "tables".
std::string_view index_kind_name(IndexKind kind) noexcept;

/// The kind of the index in the folder. Throws Error{kInput} when there is none, it is damaged, or this program does not know its kind.
IndexKind index_kind(const std::string& folder);

}  // namespace neardup
