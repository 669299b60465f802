// fetch_duckdb(): gets DuckDB's library, which reads and writes tables.
#pragma once

namespace neardup::cli {

/// Replaces this process by a shell that runs scripts/get_duckdb.sh, whose text is part of the program, so that every installation has it.
/// Throws Error{kInput} if there is no shell.
[[noreturn]] void fetch_duckdb();

/// The text of scripts/get_duckdb.sh; compiled in by apps/cli/CMakeLists.txt.
const char* get_duckdb_script() noexcept;

}  // namespace neardup::cli
