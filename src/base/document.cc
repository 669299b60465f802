#include "neardup/document.h"

namespace neardup {

std::string_view to_string(Decision decision) noexcept {
  return decision == Decision::kKeep ? "keep" : "remove";
}

std::string_view to_string(Reason reason) noexcept {
  switch (reason) {
    case Reason::kUnique:
      return "unique";
    case Reason::kKeeper:
      return "keeper";
    case Reason::kShort:
      return "short";
    case Reason::kExactCopy:
      return "exact_copy";
    case Reason::kNearDuplicate:
      return "near_duplicate";
    case Reason::kContained:
      return "contained";
    case Reason::kUnverified:
      return "unverified";
    case Reason::kConnected:
      return "connected";
    case Reason::kProtected:
      return "protected";
  }
  return "unknown";
}

}  // namespace neardup
