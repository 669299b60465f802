// The command of a run: what a program stores in a checkpoint directory (DedupRun::checkpoint_directory) to continue the run later, such as
// its options.
//
// The file COMMAND has a checksum like all files of the directory, and is replaced atomically. neardup itself does not interpret it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace neardup {

/// Replaces an existing command. Throws Error{kOutput}.
void store_run_command(const std::string& directory, std::string_view command);
/// Nothing if there is none. Throws Error{kInput} that names the file when it is damaged, of another version, or cannot be read.
std::optional<std::string> load_run_command(const std::string& directory);
[[nodiscard]] bool has_run_command(const std::string& directory);
/// For a run that did not begin: nothing is lost, and the directory can be used again.
void remove_run_command(const std::string& directory) noexcept;

/// The bytes of the file RUN, which identifies the run in the directory; empty if there is none yet. Throws Error{kInput}.
std::string run_identity(const std::string& directory);

}  // namespace neardup
