// The command stored in the checkpoint directory of a run (--work), so that --resume needs only the directory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

/// The contents of WORK/COMMAND.
struct StoredCommand {
  std::vector<std::string> words;               ///< after the command's name
  std::vector<std::vector<std::string>> added;  ///< inputs that --add brought, time by time
  std::string current_folder;                   ///< that relative paths start from
};

/// Creates the directory, or takes an empty one, and writes COMMAND, readable by the owner only: it may hold passwords. Throws
/// Error{kUsage} when it already has a run, Error{kOutput}. The directory stays locked until the result is destroyed.
std::shared_ptr<const void> create_checkpoint_directory(const std::string& directory, const StoredCommand& command);

/// Replaces COMMAND.
void store_command(const std::string& directory, const StoredCommand& command);

/// Throws Error{kUsage} when the directory has no run, or the run began in another working directory; Error{kInput} when COMMAND is
/// damaged.
StoredCommand load_command(const std::string& directory);
/// The same from any working directory, for commands that only look at the run.
StoredCommand look_up_command(const std::string& directory);

/// The invocation that began the run, with the options that `now` may change: threads, memory, temp-dir, strict, replace and reporting.
/// Throws Error{kUsage} for another option whose value differs from that of the run.
Invocation resumed(const Command& command, const StoredCommand& stored, const Invocation& now, const std::string& directory);

/// "neardup dedup --resume DIR"
std::string resume_line(const std::string& directory);

}  // namespace neardup::cli
