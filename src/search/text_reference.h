// TextReference as the record of a text in a segment of a clue index that refers to its texts.
//
// The record: the hash (8 bytes), the offset and the length (LEB128), the source. Every record names its source itself, so that merges copy
// blocks of records as they copy blocks of texts: compression leaves a few bytes of a name that the record before has, too.
#pragma once

#include <string>
#include <string_view>

#include "neardup/source.h"

namespace neardup {

void append_reference(const TextReference& reference, std::string& out);
/// False if the record is not one. `reference` views it.
bool parse_reference(std::string_view record, TextReference& reference) noexcept;

}  // namespace neardup
