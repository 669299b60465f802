// warn_of_just_below(): warns when more documents lie just below the threshold than were removed for being above it.
//
// Some pairs are close to any threshold. Where these are the most, noise decides what is removed: recognition errors (OCR), a few words in
// short texts.
#pragma once

#include <cstdint>

#include "neardup/dedup.h"
#include "neardup/options.h"

namespace neardup {

/// The warning needs at least so many documents.
inline constexpr uint64_t kManyJustBelow = 100;

/// `documents`: GroupStats::just_below. Requires a summary whose removed documents are counted.
void warn_of_just_below(uint64_t documents, const Options& options, Summary& summary);

}  // namespace neardup
