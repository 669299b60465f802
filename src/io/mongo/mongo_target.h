// mongo_target_kind(): a MongoDB collection as a target, mongodb://host/db.collection. docs/mongodb.md says what is written and when it
// can be seen.
#pragma once

#include "io/port/line_target.h"

namespace neardup {

const TargetKind& mongo_target_kind();

/// Sets members of documents that are there, by _id: --annotate into the collection that is read.
std::unique_ptr<LineTarget> make_mongo_update(const std::string& target, const TargetOptions& options);

}  // namespace neardup
