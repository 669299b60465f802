// Command: one subcommand of `neardup`, as data: what it is called, what its help teaches, which options it takes, what it runs. ExitCode:
// what running it gives.
//
// Options of the engine come from the option table: a row is taken when its `commands` names the command. LocalOption is for what
// concerns the command line only, such as outputs and logging.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/options.h"

namespace neardup::cli {

class Reporter;

/// 0 done; 1 failed while running; 2 wrong usage or configuration; 3 done but records were rejected under --strict. A run that a signal
/// stopped gives 128 and the number of the signal: 129, 130 or 143 (interrupt.h).
enum ExitCode : int { kExitOk = 0, kExitFailed = 1, kExitUsage = 2, kExitRejects = 3 };

struct LocalOption {
  std::string_view flags;    ///< "-o,--output"; the last one is the key in Invocation
  std::string_view value{};  ///< what the value looks like, "" for a flag
  std::string_view group{};
  std::string_view help{};
  bool repeatable = false;
  std::string_view endings{};  ///< of a FILE to write: the formats that its name may claim, ".jsonl .tsv"; empty: any name
};

/// A parsed command line.
class Invocation {
 public:
  Options options;
  std::vector<std::string> arguments;
  std::vector<std::string> words;                                      ///< as typed, after the command's name
  std::map<std::string, std::vector<std::string>, std::less<>> given;  ///< by long name, without "--"; of the table too

  [[nodiscard]] bool has(std::string_view name) const { return given.contains(name); }
  /// The value of an option that was given once, or `otherwise`.
  [[nodiscard]] std::string value(std::string_view name, std::string_view otherwise = {}) const {
    const auto found = given.find(name);
    return std::string(found == given.end() ? otherwise : std::string_view(found->second.back()));
  }
  [[nodiscard]] std::vector<std::string> values(std::string_view name) const {
    const auto found = given.find(name);
    return found == given.end() ? std::vector<std::string>() : found->second;
  }
};

struct Command {
  std::string_view name;
  std::string_view sentence;    ///< what it does; begins its help
  std::string_view usage{};     ///< what follows the name
  std::string_view examples{};  ///< two or three that work, one a line
  std::string_view details{};   ///< what else one has to know, or empty
  size_t min_arguments = 0;
  size_t max_arguments = 0;
  bool reads_pipe = false;  ///< called without arguments, it takes a pipe or file on standard input for "-"
  std::vector<LocalOption> options{};
  /// Returns the exit code. Throws Error.
  int (*run)(const Invocation&, Reporter&) = nullptr;
};

}  // namespace neardup::cli
