// Pass 3: read everything once more and give every document with its verdict to the sinks, in input order.
#pragma once

#include <span>

#include "dedup/batch_line.h"
#include "dedup/verdicts.h"

namespace neardup {

/// Rejected records and the reference corpus go to no sink. Does not commit.
void run_output_pass(DocumentSource& source, const DocumentTable& table, const Verdicts& verdicts, std::span<Sink* const> sinks,
                     uint32_t threads, const PassMonitor& monitor);

/// Commits all or none: when one cannot commit, those before it are withdrawn and the error goes on.
void commit_together(std::span<Sink* const> sinks, RejectSink* rejects, PairSink* pairs);

}  // namespace neardup
