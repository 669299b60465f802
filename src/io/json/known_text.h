// find_known_text(): the text of a line that RecordParser accepted before, found without parsing the rest: a second reading need not check
// again what the first one did.
//
// Only for simple lines: an object whose members before the text are strings, numbers or literals, and a text without \u escapes.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

/// The string at the first member `field` of the object in `line`, unescaped: RecordParser gives the same text for it. In `storage`, or
/// part of `line`. False for a line that is not simple, which says nothing about it. Of a line that no parser accepted, gives any text or
/// false.
bool find_known_text(std::string_view line, std::string_view field, std::string& storage, std::string_view& text);

}  // namespace neardup
