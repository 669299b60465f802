#include "cli/fetch_duckdb.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "neardup/error.h"

namespace neardup::cli {

void fetch_duckdb() {
  std::signal(SIGPIPE, SIG_DFL);  // ignored signals would stay ignored
  // As an argument, not as standard input, which programs that the script starts would read.
  ::execlp("bash", "bash", "-c", get_duckdb_script(), "get_duckdb", static_cast<char*>(nullptr));
  throw Error(ErrorCode::kInput, fmt::format("cannot run bash, which fetches DuckDB's library: {}", std::strerror(errno)));
}

}  // namespace neardup::cli
