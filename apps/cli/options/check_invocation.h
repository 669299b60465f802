// Checks of a whole command line before anything is read or written. Every check throws Error{kUsage}.
#pragma once

#include "cli/commands/command.h"
#include "cli/terminal/reporter.h"
#include "neardup/tools/option_effects.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {

// Endings that names of output files may have: LocalOption::endings.
inline constexpr std::string_view kDocumentEndings = ".jsonl .ndjson .json .csv .tsv .parquet";
inline constexpr std::string_view kLineEndings = ".jsonl .ndjson .json";
inline constexpr std::string_view kTableEndings = ".tsv .jsonl";
inline constexpr std::string_view kReportEndings = ".json .jsonl .ndjson .txt .text .log .tsv";  // readers recognize the contents

/// Checks without opening anything: the endings of outputs, standard input named twice, an unusable temporary folder. Warns of a memory
/// budget above the machine's.
void check_invocation(const Command& command, const Invocation& invocation, Reporter& reporter);

/// Throws Error{kUsage} for database options without a database: they would be ignored silently.
void check_database_options(const Invocation& invocation);

/// Rejects options that have no effect in the run: why_idle(). `kinds`: of all inputs.
void check_effects(const Invocation& invocation, const RunPlan* plan, const InputKinds& kinds);
void check_effects(const Invocation& invocation, RunFacts facts);

/// True if standard input is a nonempty pipe or file. Waits for the first byte of a pipe, or its end, as reading it would.
bool input_is_piped();

/// True if the command line names standard input as an input.
bool names_standard_input(const Invocation& invocation);

}  // namespace neardup::cli
