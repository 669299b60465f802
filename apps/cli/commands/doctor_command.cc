#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands/commands.h"
#include "cli/fetch_duckdb.h"
#include "cli/interrupt.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/tools/instruction_sets.h"
#include "neardup/tools/library_versions.h"
#include "neardup/tools/machine.h"

namespace neardup::cli {
namespace {

int run_doctor(const Invocation& invocation, Reporter&) {
  if (invocation.has("fetch-duckdb")) {
    if (invocation.given.size() > 1) throw Error(ErrorCode::kUsage, "--fetch-duckdb cannot be combined with other options");
    fetch_duckdb();
  }
  end_by_interrupts();
  std::string libraries;
  for (const LibraryVersion& library : library_versions()) {
    libraries += fmt::format("{}{} {}", libraries.empty() ? "" : ", ", library.name, library.version);
  }
  const std::string temp_problem = temp_dir_problem(invocation.options.temp_dir);
  const std::string kernel_problem = kernels_problem();
  say("neardup    {}\n", NEARDUP_VERSION);
  say("libraries  {}\n", libraries);
  const TableLibrary duckdb = table_library(invocation.options.duckdb_library);
  say("duckdb     {}\n", duckdb.problem.empty() ? fmt::format("{}, {}", duckdb.version, duckdb.path) : duckdb.problem);
  say("kernels    {} in use; this processor runs {}\n", kernels_in_use(), fmt::join(kernels_available(), ", "));
  say("threads    {}\n", machine_cores());
  say("memory     {}; a run takes {} unless --memory says otherwise\n", data_size(machine_memory_bytes()),
      data_size(machine_memory_bytes() / 2));
  say("temp dir   {}\n", temp_problem.empty() ? "writable" : temp_problem);
  if (!kernel_problem.empty()) say("problem    {}\n", kernel_problem);
  return temp_problem.empty() && kernel_problem.empty() ? kExitOk : kExitFailed;
}

}  // namespace

const Command& doctor_command() {
  static const Command command{
      .name = "doctor",
      .sentence = "show versions, instruction sets, memory, threads, temporary folder; for bug reports",
      .usage = "[options]",
      .examples =
          "neardup doctor\n"
          "NEARDUP_KERNELS=baseline neardup doctor\n"
          "neardup doctor --fetch-duckdb",
      .options = {essential(
          {"--fetch-duckdb", "", "Libraries",
           "fetch DuckDB's library (70 MB, by npm), which reads and writes Parquet, CSV and TSV, into the cache folder"})},
      .run = run_doctor,
  };
  return command;
}

}  // namespace neardup::cli
