// The pass "output": reads the input again and gives every document with its verdict to the sinks, in input order.
#pragma once

#include <span>

#include "dedup/corpus/document_table.h"
#include "dedup/run_context.h"
#include "dedup/verdicts.h"
#include "neardup/sink.h"

namespace neardup {

/// Sinks get neither rejected records nor the reference corpus. Does not commit.
void run_output_pass(const RunContext& context, const DocumentTable& table, const Verdicts& verdicts, std::span<Sink* const> sinks);

}  // namespace neardup
