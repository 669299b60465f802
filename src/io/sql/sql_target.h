// Tables as targets. See SqlPlan for how a table is written, SqlStaging for how rows get there.
#pragma once

#include "io/port/connectors.h"

namespace neardup {

const TargetKind& sql_target_kind();

}  // namespace neardup
