// The verbs of neardup index. The first argument is the index, the others follow it.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

/// What a verb works on: the index, and the rest of the arguments.
struct IndexJob {
  const Invocation& invocation;
  std::string verb;
  std::string folder;
  std::vector<std::string> arguments;
};

/// The ids that delete is given, each once, in the order in which they were given. Throws Error.
std::vector<std::string> ids_of(const IndexJob& job);
/// Throws Error{kOutput} when the folder holds an index that is in use.
void refuse_existing_index(const std::string& folder);

/// Each returns the exit code. Throws Error.
int build_index(const IndexJob& job, Reporter& reporter);
int add_to_index(const IndexJob& job, Reporter& reporter);
int delete_from_index(const IndexJob& job, Reporter& reporter);
int merge_index(const IndexJob& job, Reporter& reporter);
int show_index(const IndexJob& job, Reporter& reporter);
int verify_index(const IndexJob& job, Reporter& reporter);

}  // namespace neardup::cli
