// Problem: why a record is rejected, as a sentence and a kind.
#pragma once

#include <string>

#include "neardup/document.h"

namespace neardup {

struct Problem {
  std::string text;  ///< empty: there is none
  RejectKind kind = RejectKind::kOther;

  [[nodiscard]] bool empty() const noexcept { return text.empty(); }
  /// Says it in the record, whose view lives as long as this is unchanged.
  void tell(Record& record) const noexcept {
    record.problem = text;
    record.reject_kind = kind;
  }
};

}  // namespace neardup
