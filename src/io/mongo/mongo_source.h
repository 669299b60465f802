// mongo_source_kind(): a MongoDB collection as an input, mongodb://host/db.collection. docs/mongodb.md says what is read and how.
#pragma once

#include "io/port/connectors.h"

namespace neardup {

const SourceKind& mongo_source_kind();

}  // namespace neardup
