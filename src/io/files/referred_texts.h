// What DocumentSource::reference_to() gives for files; make_referred_texts() of neardup/io.h reads it again.
//
// It says how a text is made of its bytes: words with a NUL after each, then the canonical path of the file. The words are
//   lines FIELD...   the bytes are one line of JSON Lines; the text is that of these fields
//   text CHARSET     the bytes are the file; CHARSET as in SourceOptions::charset
//   page CHARSET     the same, but what a page says of its charset comes first
#pragma once

#include <string>
#include <vector>

#include "io/files/charset.h"
#include "io/files/input_list.h"

namespace neardup {

/// Both are empty if the file cannot be referred to: it is gone, or (texts) compressed. An unreadable text file is not a reason: it has no
/// text.
std::string reference_to_lines(const std::string& path, const std::vector<std::string>& text_fields);
std::string reference_to_text(const InputEntry& entry, const Charset& charset);

}  // namespace neardup
