// The work folder of a run (--work): what the user asked for, so that --resume needs no more than the folder.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

/// What stands in WORK/COMMAND.
struct StoredCommand {
  std::vector<std::string> words;               ///< after the command's name
  std::vector<std::vector<std::string>> added;  ///< inputs that --add brought, time by time
  std::string current_folder;                   ///< that relative paths start from
};

/// Makes the folder, or takes an empty one, and writes COMMAND, for the owner's eyes only: it may hold passwords. Throws Error{kUsage} when
/// there is a run in it already, Error{kOutput}. The result keeps other processes out as long as it is there.
std::shared_ptr<const void> begin_work_folder(const std::string& folder, const StoredCommand& command);

/// Replaces COMMAND.
void store_command(const std::string& folder, const StoredCommand& command);

/// Throws Error{kUsage} when there is no run in the folder, or the program stands in another folder than when it began; Error{kInput} when
/// COMMAND is damaged.
StoredCommand load_command(const std::string& folder);

/// The invocation that began the run, with what `now` may change of it: threads, memory, temp-dir, strict, replace and how it reports.
/// Throws Error{kUsage} for another option whose value differs from that of the run.
Invocation resumed(const Command& command, const StoredCommand& stored, const Invocation& now, const std::string& folder);

/// "neardup dedup --resume FOLDER"
std::string resume_line(const std::string& folder);

}  // namespace neardup::cli
