// The configuration that `neardup tune -o FILE` writes, for `neardup dedup --config FILE`.
#pragma once

#include <string>

#include "neardup/tools/tune.h"

namespace neardup::cli {

/// TOML: the advised options by their names in the option table, each after its reason as a comment.
std::string tune_toml(const TuneResult& result);

}  // namespace neardup::cli
