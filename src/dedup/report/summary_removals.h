// The part of a summary about removals: how many, their clusters, and how similar removed documents are to their keepers.
#pragma once

#include <string>

#include "neardup/tools/summary.h"

namespace neardup::summary_parts {

/// Lines for people.
void write_removals(const Summary& summary, std::string& out);
/// Members of a JSON object, each followed by a comma.
void write_removals_json(const Summary& summary, std::string& out);

}  // namespace neardup::summary_parts
