#include "dedup/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "index/prefix/feature_counts.h"
#include "neardup/error.h"
#include "neardup/tools/machine.h"

namespace neardup {

MemoryPlan::MemoryPlan(const Options& options)
    : total(options.memory != 0 ? options.memory : machine_memory_bytes() / 2),
      band_keys(total / 4),
      filter_rows(total / 8),
      grouping(total / 8),
      // An LSH run needs the features of its candidates only, once. The exact join reads all features many times.
      features(!options.joins_all()                       ? total / (options.weighs_features() ? 8 : 4)
               : options.measure == Measure::kContainment ? total / 2 - FeatureCounts::kMaxBytes
               : options.weighs_features()                ? total / 4  // and as much for the weights
                                                          : total / 2),
      join_index(total / 4),
      sorting(std::min(total / 8, uint64_t{1024} << 20)) {
  if (total < limits::kMinMemory) {
    throw Error(ErrorCode::kUsage, fmt::format("memory: {} bytes is below the minimum of {}", total, limits::kMinMemory));
  }
}

}  // namespace neardup
