// Parquet, CSV and TSV files as a source: one document per row. Rows are numbered from 1 in the order of the file; a header is not a row.
#pragma once

#include "io/port/connectors.h"

namespace neardup {

/// Files by the end of their name, folders and globs of them; under InputFormat::kParquet, kCsv, kTsv every name.
const SourceKind& table_source_kind();

}  // namespace neardup
