// count_removal_changes(): what kinds of change sampled removals have, next to the documents that were kept instead.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "jobs/report/json_writer.h"
#include "jobs/report/report_texts.h"
#include "jobs/report/tally/report_row.h"
#include "neardup/tools/tune.h"

namespace neardup {

struct RemovalChanges {
  /// Pairs with a longer text are left out, and so are those after this many bytes in all: aligning texts is the slow part of a report.
  static constexpr size_t kMaxBytes = 256u << 10;
  static constexpr size_t kTotalBytes = 32u << 20;

  uint64_t removals = 0;                     ///< pairs that were compared
  std::array<uint64_t, kPairKinds> kinds{};  ///< of these, by PairKind
};

/// A function of the rows and texts. Throws Error{kStopped}.
RemovalChanges count_removal_changes(std::span<const ReportRow> removals, const ReportTexts& texts);

/// The member "changes" of the open object.
void write_removal_changes(const RemovalChanges& changes, JsonWriter& json);

}  // namespace neardup
