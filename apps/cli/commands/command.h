// Command: one subcommand of `neardup` as data: name, help, options and the function it runs. ExitCode: its result.
//
// Options of the engine come from the option table: a row applies when its `commands` names the command. LocalOption is for the command
// line only, such as outputs and logging.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/options.h"

namespace neardup::cli {

class Reporter;

/// help/exit_codes.h says what they mean. A run stopped by a signal returns 128 plus the number of the signal: 129, 130 or 143
/// (interrupt.h).
enum ExitCode : int { kExitOk = 0, kExitFailed = 1, kExitUsage = 2, kExitRejects = 3 };

struct LocalOption {
  std::string_view flags;    ///< "-o,--output"; the last one is the key in Invocation
  std::string_view value{};  ///< the form of the value, "" for a flag
  std::string_view group{};
  std::string_view help{};
  bool repeatable = false;
  std::string_view endings{};  ///< of a FILE to write: the endings that its name may have, ".jsonl .tsv"; empty: any name
  bool essential = false;      ///< shown by --help, which shows about ten options; --help-all shows all

  /// The long one of the flags: "output".
  [[nodiscard]] constexpr std::string_view name() const { return flags.substr(flags.find("--") + 2); }
};
/// The option, marked as essential.
constexpr LocalOption essential(LocalOption option) {
  option.essential = true;
  return option;
}

/// The page that a command line asks for instead of a run: -h or --help, --help-all.
enum class HelpPage { kNone, kEssential, kAll };

/// A parsed command line.
class Invocation {
 public:
  HelpPage help = HelpPage::kNone;  ///< unless kNone, no other member has a meaning
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
  std::string_view sentence;    ///< what it does; the first line of its help
  std::string_view usage{};     ///< the arguments after the name
  std::string_view examples{};  ///< two or three working ones, one per line
  std::string_view details{};   ///< further explanation, or empty
  size_t min_arguments = 0;
  size_t max_arguments = 0;
  bool reads_pipe = false;                           ///< called without arguments, it takes a pipe or file on standard input for "-"
  bool (*lacks_input)(const Invocation&) = nullptr;  ///< the same for a command with verbs: true if only INPUT is missing
  std::vector<LocalOption> options{};
  /// Returns the exit code. Throws Error.
  int (*run)(const Invocation&, Reporter&) = nullptr;
};

}  // namespace neardup::cli
