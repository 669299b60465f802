// make_json_document(): one JSON document as JSON Lines, on the way from the stream to the reader of lines.
//
// A document is a sequence of JSON values: objects, each of them a record however many lines it stands on, and arrays, whose elements are
// the records. A record is given as one line: its own bytes, but for each line end, which with the white space after it becomes one
// blank. The bytes between records are left out. Memory: a block, whatever the document is. One pass from front to back, so the lines
// depend on the bytes only.
//
// Only brackets, strings and commas are looked at; what a record holds is for the reader of the line to judge. Where the structure breaks
// (a bracket or quote that is not closed, a comma too many) nobody can say where the next record begins: the line ends there without '\n',
// and damage() names the byte.
#pragma once

#include <memory>

#include "io/bytes/decompress.h"

namespace neardup {

/// `plain` gives the bytes of the document.
std::unique_ptr<Decompressor> make_json_document(std::unique_ptr<Decompressor> plain);

}  // namespace neardup
