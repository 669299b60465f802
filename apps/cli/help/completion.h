// Completion scripts of bash, zsh and fish: commands, their options, the values of options that have a list of them, and files where files
// are expected. Made from Command and its options; the scripts start no program while completing.
#pragma once

#include <string>

namespace neardup::cli {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace neardup::cli
