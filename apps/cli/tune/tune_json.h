// What `neardup tune --json` prints.
#pragma once

#include <string>

#include "neardup/tools/tune.h"

namespace neardup::cli {

/// One JSON object and a newline.
std::string tune_json(const TuneResult& result);

}  // namespace neardup::cli
