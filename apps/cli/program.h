// run_program: from the words of the command line to the exit code. The only place that turns errors into exit codes.
#pragma once

#include <string>
#include <vector>

namespace neardup::cli {

/// 0 done; 1 failed while running; 2 wrong usage or configuration; 3 done but records were rejected under --strict. A run that a signal
/// stopped gives 128 and the number of the signal: 129, 130 or 143 (interrupt.h).
enum ExitCode : int { kExitOk = 0, kExitFailed = 1, kExitUsage = 2, kExitRejects = 3 };

/// `words` are those after the program's name. Throws nothing.
int run_program(std::vector<std::string> words) noexcept;

}  // namespace neardup::cli
