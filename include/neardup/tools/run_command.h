// The command of a run: what a program stores in a run folder (DedupRun::run_folder) to continue the run later, such as its options.
//
// The file COMMAND is checked as all files of the folder are, and appears as a whole. neardup itself does not look into it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace neardup {

/// Replaces the command that was there. Throws Error{kOutput}.
void store_run_command(const std::string& folder, std::string_view command);
/// Nothing if there is none. Throws Error{kInput} that names the file when it is damaged, of another version, or cannot be read.
std::optional<std::string> load_run_command(const std::string& folder);
[[nodiscard]] bool has_run_command(const std::string& folder);
/// For a run that did not begin: nothing is lost, and the folder can be taken again.
void remove_run_command(const std::string& folder) noexcept;

/// The bytes of the file RUN, which says what run is in the folder; empty if there is none yet. Throws Error{kInput}.
std::string run_identity(const std::string& folder);

}  // namespace neardup
