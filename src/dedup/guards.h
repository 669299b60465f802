// Guards: bounds on what a run may remove (Options::max_removed and max_cluster). check_guards() fails a run beyond them.
//
// They do not change what is decided, so a run with a checkpoint directory can be resumed with other bounds. Inputs of a single document,
// such as text files, are judged together: each of them alone could lose nothing or everything.
#pragma once

#include "dedup/corpus/document_table.h"
#include "dedup/verdicts.h"
#include "neardup/options.h"
#include "neardup/source.h"
#include "neardup/tools/summary.h"

namespace neardup {

struct GuardedRun {
  const Options& options;
  const DocumentSource& source;
  const DocumentTable& table;
  const Verdicts& verdicts;
};

/// `summary`: with the clusters of the run. Throws Error{kResource} that names the input or the keeper, the value and the bound.
void check_guards(const GuardedRun& run, const Summary& summary);

}  // namespace neardup
