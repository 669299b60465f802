// What can be wrong with a command line as a whole, found before anything is read or written: every check throws Error{kUsage}.
#pragma once

#include "cli/commands/command.h"
#include "cli/reporter.h"
#include "neardup/tools/option_effects.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {

// What the names of written files may claim: LocalOption::endings.
inline constexpr std::string_view kDocumentEndings = ".jsonl .ndjson .json .csv .tsv .parquet";
inline constexpr std::string_view kLineEndings = ".jsonl .ndjson .json";
inline constexpr std::string_view kTableEndings = ".tsv .jsonl";
inline constexpr std::string_view kReportEndings = ".json .jsonl .ndjson .txt .text .log .tsv";  // whoever reads them sees what they are

/// What can be seen without opening anything: the endings of outputs, standard input named twice, a temporary folder that cannot be used.
/// Warns of a memory budget above the machine's.
void check_invocation(const Command& command, const Invocation& invocation, Reporter& reporter);

/// Options that the command line gives and that have no effect in the run: why_idle(). `kinds`: of all inputs.
void check_effects(const Invocation& invocation, const RunPlan* plan, const InputKinds& kinds);
void check_effects(const Invocation& invocation, RunFacts facts);

/// True if standard input is a pipe or a file with something in it. Waits for the first byte of a pipe, or its end, as reading it would.
bool input_is_piped();

/// True if the command line names standard input as something to be read.
bool names_standard_input(const Invocation& invocation);

}  // namespace neardup::cli
