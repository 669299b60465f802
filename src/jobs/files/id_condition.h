// id_condition(): the condition by which a database finds a document with a given id, as SourceOptions::where takes it.
#pragma once

#include <string>

#include "neardup/io.h"

namespace neardup {

/// `input`: a database. Includes the condition of `options`. Empty if the id cannot be written so that every server reads it alike. Throws
/// Error as opening the input does, because the key of an SQL table must be looked up.
std::string id_condition(const std::string& input, const std::string& id, const SourceOptions& options);

}  // namespace neardup
