// Problem: the reason of a record's rejection, as a sentence and a kind.
#pragma once

#include <string>

#include "neardup/document.h"

namespace neardup {

struct Problem {
  std::string text;  ///< empty: there is none
  RejectKind kind = RejectKind::kOther;

  [[nodiscard]] bool empty() const noexcept { return text.empty(); }
  /// Sets it in the record, whose view is valid while this is unchanged.
  void tell(Record& record) const noexcept {
    record.problem = text;
    record.reject_kind = kind;
  }
};

}  // namespace neardup
