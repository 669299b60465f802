#include "dedup/run_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/limits.h"
#include "base/parallel.h"
#include "neardup/error.h"
#include "neardup/tools/doctor.h"

namespace neardup {
namespace {}  // namespace

MemoryPlan::MemoryPlan(const Options& options)
    : total(options.memory != 0 ? options.memory : machine_memory_bytes() / 2),
      band_keys(total / 4),
      filter_rows(total / 8),
      grouping(total / 8),
      // An LSH run needs the features of its candidates only, once, and the page cache holds what is spilled: a fixed bound keeps the
      // memory per document small. The exact join reads all features many times.
      features(options.search == Search::kExact ? total / 2 : std::min(total / 4, uint64_t{160} << 20)),
      sorting(std::min(total / 8, uint64_t{1024} << 20)) {
  if (total < limits::kMinMemory) {
    throw Error(ErrorCode::kUsage, fmt::format("memory: {} bytes is below the minimum of {}", total, limits::kMinMemory));
  }
}

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
  if (options.cluster == Cluster::kComponents) refuse("cluster 'components'");
  if (options.search == Search::kExact) refuse("search 'exact'");
}

}  // namespace neardup
