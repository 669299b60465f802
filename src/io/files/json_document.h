// make_json_document(): converts one JSON document to JSON Lines while it is read.
//
// A document is a sequence of JSON values: objects, each of them a record on any number of lines, and arrays, whose elements are the
// records. A record becomes one line: its own bytes, except that each line end, with the white space after it, becomes one blank. The bytes
// between records are dropped. Memory: one block, for any document. One sequential pass, so the lines depend only on the bytes.
//
// Only brackets, strings and commas are checked; the reader of the line checks the contents of a record. Where the structure breaks (a
// bracket or quote that is not closed, an extra comma) the start of the next record is unknown: the line ends there without '\n', and
// damage() names the byte.
#pragma once

#include <memory>

#include "io/bytes/decompress.h"

namespace neardup {

/// `plain` gives the bytes of the document.
std::unique_ptr<Decompressor> make_json_document(std::unique_ptr<Decompressor> plain);

}  // namespace neardup
