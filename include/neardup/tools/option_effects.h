// why_idle(): whether an option that a user gave can do anything in a run, and if not, why.
//
// An option is idle if the run ignores it. A promise or limit that the run keeps anyway (--search exact for fingerprints,
// --max-record-bytes, --memory) is not idle.
#pragma once

#include <string>
#include <string_view>

#include "neardup/options.h"
#include "neardup/tools/input_kinds.h"
#include "neardup/tools/plan.h"

namespace neardup {

/// The facts that decide whether an option has an effect.
struct RunFacts {
  const RunPlan* plan = nullptr;  ///< of a run that finds pairs; null: it finds none
  InputKinds inputs{};            ///< none: there are no inputs, or they are not known
  bool shows_presets = false;     ///< compare, which asks every preset at the threshold and the distance
  bool writes_tables = false;
  bool writes_databases = false;
};

/// Why the option `name` (as in the option table) has no effect in such a run, as the end of a sentence; empty: it has one.
std::string why_idle(std::string_view name, const Options& options, const RunFacts& facts);

}  // namespace neardup
