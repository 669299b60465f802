// run_program: from the words of the command line to the exit code. The only place that turns errors into exit codes.
#pragma once

#include <string>
#include <vector>

namespace neardup::cli {

/// `words` are those after the program's name. Throws nothing.
int run_program(std::vector<std::string> words) noexcept;

}  // namespace neardup::cli
