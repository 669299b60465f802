// The answers of a store as JSON: the lines of `neardup store check` and of the HTTP service.
#pragma once

#include <string>
#include <string_view>

#include "neardup/online_store.h"

namespace neardup {

/// Appends {"id":...,"verdict":...,...} without a line end: docs/online.md has the members. Without `has_sequence` it is left out, as for
/// requests that insert nothing. Malformed UTF-8 in ids becomes U+FFFD.
void append_online_answer(std::string_view id, const OnlineAnswer& answer, bool has_sequence, std::string& out);

/// Appends `text` as a JSON string with its quotes. Malformed UTF-8 becomes U+FFFD.
void append_json_text(std::string_view text, std::string& out);

}  // namespace neardup
