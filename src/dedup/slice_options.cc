#include "dedup/slice_options.h"

#include <fmt/format.h>

#include <string_view>

#include "dedup/corpus/keep_policy.h"
#include "neardup/error.h"

namespace neardup {

// A document of an earlier slice must not be removed, nor be wanted again, because of a later one.
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
