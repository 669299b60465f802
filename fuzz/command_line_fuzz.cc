// Any words as a command line, one a line, the first byte the command: help, an Error of wrong usage in one line, or an Invocation; and the
// words that an Invocation remembers parse to the same again, which is what --resume relies on. The question of neardup search is within
// its bounds.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/command.h"
#include "cli/commands/commands.h"
#include "cli/options/parse.h"
#include "cli/program.h"
#include "cli/search/clue_options.h"
#include "fuzz_support.h"

namespace {

using namespace neardup;
using fuzz::require;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Fields fields({reinterpret_cast<const char*>(data), size});
  const auto all = cli::commands();
  const cli::Command& command = *all[fields.byte() % all.size()];
  std::vector<std::string> words;
  while (!fields.empty()) words.emplace_back(fields.until('\n'));
  try {
    const auto invocation = cli::parse_command(command, words);
    if (invocation.help != cli::HelpPage::kNone) return 0;
    const auto again = cli::parse_command(command, invocation.words);
    require(again.help == cli::HelpPage::kNone && again.given == invocation.given && again.arguments == invocation.arguments);
    const size_t arguments = invocation.arguments.size();
    require(arguments <= command.max_arguments);
    require(arguments >= command.min_arguments || (arguments == 0 && command.reads_pipe));  // a pipe may take their place
    if (command.name == "search") {
      const ClueSearch search = cli::clue_search(invocation);
      require(search.limit > 0 && search.max_candidates > 0);
      require(!search.edits || (search.edits->millionths() > 0 && search.edits->millionths() <= ClueSearch::kMaxEditsMillionths));
    }
    for (const OptionRow& row : option_table()) require(row.get(again.options) == row.get(invocation.options));
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kUsage);
    fuzz::require_one_line(error);
  }
  return 0;
}
