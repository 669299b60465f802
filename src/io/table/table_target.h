// Writes lines of JSON to a Parquet, CSV or TSV file: for sources that are not tables or of several kinds, and for verdicts.
//
// The columns are known only when all lines are: until then the lines are kept in a temporary file.
#pragma once

#include "io/port/connectors.h"

namespace neardup {

const TargetKind& table_target_kind();

}  // namespace neardup
