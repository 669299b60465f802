// The inputs of a run, opened by its options.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/terminal/reporter.h"
#include "neardup/io.h"
#include "neardup/options.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {

/// How a command uses its inputs, beyond options.
struct InputUse {
  bool once = false;  ///< both as in SourceOptions
  bool exact_types = false;
  bool reference = false;       ///< a reference corpus: only its text field matters
  uint64_t batch_bytes = 0;     ///< of documents that one thread works on; 0: as in SourceOptions
  std::string copied_fields{};  ///< TargetOptions::fields
};
/// Warnings go to `reporter`, which outlives the result.
SourceOptions source_options(const Options& options, const RunPlan& plan, Reporter& reporter, const InputUse& use = {});
/// The same.
std::unique_ptr<DocumentSource> open_inputs(const std::vector<std::string>& inputs, const Options& options, const RunPlan& plan,
                                            Reporter& reporter, const InputUse& use = {});

}  // namespace neardup::cli
