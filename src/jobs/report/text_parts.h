// The texts of the report, short enough for a page: excerpts, and two aligned texts with what is left out counted.
#pragma once

#include <string_view>

#include "jobs/report/json_writer.h"

namespace neardup {

/// An array: ["=", text both have], ["-", text only the removed one has], ["+", text only the keeper has], ["~", characters left out].
/// At most about 5 KB.
void write_text_parts(std::string_view removed, std::string_view keeper, JsonWriter& json);

/// The beginning of a text, as a string of JSON.
void write_excerpt(std::string_view text, JsonWriter& json);

/// An id or the name of a source, which may be a whole page: the beginning of a long one.
void write_name(std::string_view name, JsonWriter& json);

}  // namespace neardup
