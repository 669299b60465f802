// Parquet, CSV and TSV files as a source: one document per row. Rows are numbered from 1 in the order of the file; a header is not a row.
#pragma once

#include <memory>
#include <vector>

#include "io/files/input_list.h"
#include "io/port/connectors.h"

namespace neardup {

/// The tables found in folders, as one source; `entries` is not empty. Names that say nothing are of Parquet. Throws Error{kInput}, and
/// kUsage that names the first table if DuckDB's library is missing.
std::unique_ptr<DocumentSource> open_listed_tables(std::vector<InputEntry> entries, const SourceOptions& options);

/// Files by the end of their name, folders and globs of them; under InputFormat::kParquet, kCsv, kTsv every name.
const SourceKind& table_source_kind();

}  // namespace neardup
