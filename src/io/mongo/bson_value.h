// Conversion of BSON values to and from text: ids of any type (docs/mongodb.md has the table), names of types in messages, and changes to
// JSON that BSON does not accept.
#pragma once

#include <string>
#include <string_view>

#include "io/mongo/mongo_library.h"

namespace neardup {

/// "a string", "an ObjectId", ...
std::string_view name_of(bson_type_t type) noexcept;

/// Appends the id for `value`:
///   string                  as it is, malformed UTF-8 as U+FFFD
///   ObjectId                24 hexadecimal digits
///   int, long, decimal      in decimal
///   double                  the shortest decimal that reads as the same number: 5 for 5.0
///   binary of subtype 4     a UUID, 8-4-4-4-12 digits
///   date                    ISO 8601 in UTC, with milliseconds if there are some; years 0001 to 9999
///   boolean, null           true, false, null
///   everything else         its canonical Extended JSON
void append_id_text(const bson_iter_t& value, std::string& out);

/// Canonical Extended JSON of one value.
std::string canonical_json(const bson_iter_t& value);

/// Finds `path`, whose dots lead into objects.
bool find_value(const bson_t& document, std::string_view path, bson_iter_t& found);

/// A line of JSON that BSON rejects, with the necessary changes: half surrogate pairs in its strings become U+FFFD, integers beyond 64 bits
/// become doubles, and numbers beyond the range of a double become infinite, or 0. Only called for rejected lines. `line` is JSON by
/// check_json().
std::string repair_json_for_bson(std::string_view line);

}  // namespace neardup
