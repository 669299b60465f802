// Lines of JSON into a Parquet, CSV or TSV file: for sources that are not tables, or several kinds at once, and for verdicts.
//
// The columns are known when all lines are: until then the lines wait in a temporary file.
#pragma once

#include "io/port/connectors.h"

namespace neardup {

const TargetKind& table_target_kind();

}  // namespace neardup
