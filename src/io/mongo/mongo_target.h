// mongo_target_kind(): a MongoDB collection as a target, mongodb://host/db.collection. See docs/mongodb.md for its contents and visibility.
// make_removed_documents() of neardup/tools/remove_documents.h is implemented here, too.
#pragma once

#include "io/port/connectors.h"

namespace neardup {

const TargetKind& mongo_target_kind();

}  // namespace neardup
