#include "dedup/match/group_inputs.h"

#include "dedup/match/candidates/exact_copies.h"

namespace neardup {

std::optional<uint32_t> GroupInputs::copied_reference(uint32_t ordinal) const noexcept {
  if (copy_of.empty() || !copies_reference(table, copy_of, document(ordinal))) return std::nullopt;
  return copy_of[document(ordinal)];
}

}  // namespace neardup
