#include "dedup/run_context.h"

#include <fmt/format.h>

#include <string_view>

#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup {

RunContext::RunContext(const Options& given, const RunHooks& hooks, const PassClock& clock, uint32_t references, uint64_t slice)
    : options(given),
      source(*hooks.source),
      rejects(hooks.rejects),
      monitor(clock.monitor()),
      reference_sources(references),
      slice_documents(slice),
      threads(resolve_threads(given.threads)),
      memory(given),
      keep(KeepPolicy::parse(given.keep)) {
  if (options.threshold.millionths() == 0) throw Error(ErrorCode::kUsage, "threshold: 0 is below the minimum of 0.000001");
}

void check_slices(const Options& options) {
  if (options.batch == 0) return;
  const auto refuse = [&](std::string_view what) {
    throw Error(ErrorCode::kUsage, fmt::format("batch: {} decides about all documents at once, not {} at a time", what, options.batch));
  };
  if (!KeepPolicy::parse(options.keep).is_input_order()) refuse(fmt::format("keep '{}'", options.keep));
  if (!options.protect.empty()) refuse("protect");
  if (options.cluster == Cluster::kComponents) refuse("cluster 'components'");
  if (options.measure == Measure::kContainment) refuse("measure 'containment'");
  if (options.search == Search::kExact) refuse("search 'exact'");
}

}  // namespace neardup
