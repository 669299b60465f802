// sample_removals(): the removals that dedup() would make, per source and with a range, from a sample of the corpus.
//
//   neardup::SampleRun run;
//   run.source = source.get();
//   run.share = neardup::SampleShare::parse("1%");
//   const neardup::SampledRemovals found = neardup::sample_removals(options, run);
//   std::cout << found.expected.all.likely << '\n';
//
// One pass over the corpus with bounded memory. The sample is consistent: near-duplicates come together (src/jobs/tune/consistent_key.h).
// The result is a function of the documents, their order and the options, never of threads or memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "neardup/options.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"
#include "neardup/tools/tune.h"

namespace neardup {

/// The share of the documents that a sample is to have: above 0, at most 1.
struct SampleShare {
  uint32_t millionths = 10'000;

  /// "1%", "0.05%", with at most four decimals. Throws Error{kUsage}.
  static SampleShare parse(std::string_view text);
  [[nodiscard]] double value() const noexcept { return millionths / 1e6; }
};

struct SampleRun : RunHooks {
  SampleShare share;
  size_t sample_documents = 200'000;            ///< different texts of the sample, at most; with more, the share becomes smaller
  uint64_t sample_bytes = uint64_t{128} << 20;  ///< of their texts
};

struct SampledRemovals {
  double share = 0;        ///< that the sample has
  bool reduced = false;    ///< less than was asked for, as the sample would have been too large
  bool all = false;        ///< the sample is the corpus, so the removals are those of a run
  uint64_t documents = 0;  ///< of the corpus
  uint64_t sampled = 0;    ///< of these, in the sample
  TuneExpected expected;
  Summary summary;  ///< of the reading, with warnings
};

/// Throws Error{kUsage} for options whose removals a sample of texts cannot tell: it names the option.
void require_sampling(const Options& options);

/// Throws Error as dedup() and require_sampling() do, also when Options::max_rejects says that rejected records fail the run.
SampledRemovals sample_removals(const Options& options, const SampleRun& run);

}  // namespace neardup
