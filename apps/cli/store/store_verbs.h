// The verbs of neardup store. The first argument is the store, the others follow it.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

struct StoreJob {
  const Invocation& invocation;
  std::string folder;
  std::vector<std::string> arguments;
};

/// Each returns the exit code. Throws Error.
int build_store(const StoreJob& job, Reporter& reporter);
int check_store(const StoreJob& job, Reporter& reporter);
int delete_from_store(const StoreJob& job, Reporter& reporter);
int show_store(const StoreJob& job, Reporter& reporter);
int verify_store(const StoreJob& job, Reporter& reporter);
int export_store(const StoreJob& job, Reporter& reporter);
int compact_store(const StoreJob& job, Reporter& reporter);
int copy_store(const StoreJob& job, Reporter& reporter);
int repair_store(const StoreJob& job, Reporter& reporter);

}  // namespace neardup::cli
