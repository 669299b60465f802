// mongo_source_kind(): a MongoDB collection as an input, mongodb://host/db.collection. See docs/mongodb.md.
#pragma once

#include "io/port/connectors.h"

namespace neardup {

const SourceKind& mongo_source_kind();

}  // namespace neardup
