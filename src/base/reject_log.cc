#include "neardup/tools/reject_log.h"

#include <fmt/format.h>

namespace neardup {

void RejectLog::add(std::string_view place, RejectKind kind, std::string_view problem, std::vector<std::string>& warnings) {
  if (total() < kMaxWarnings) warnings.push_back(fmt::format("{}: rejected: {}", place, problem));
  if (total() == 0) first_ = fmt::format("{}: {}", place, problem);
  by_kind_.add(kind);
}

}  // namespace neardup
