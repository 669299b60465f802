// What `neardup tune --json` prints.
#pragma once

#include <string>

#include "neardup/tools/tune.h"

namespace neardup::cli {

/// The expected removals: one JSON object.
std::string expected_json(const TuneExpected& expected);
/// One JSON object and a newline.
std::string tune_json(const TuneResult& result);

}  // namespace neardup::cli
