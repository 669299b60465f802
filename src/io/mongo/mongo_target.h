// mongo_target_kind(): a MongoDB collection as a target, mongodb://host/db.collection. docs/mongodb.md says what is written and when it
// can be seen. make_removed_documents() of neardup/tools/remove_documents.h is implemented here, too.
#pragma once

#include "io/port/connectors.h"

namespace neardup {

const TargetKind& mongo_target_kind();

}  // namespace neardup
