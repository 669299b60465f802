// read_text, read_utf8: a whole file, or standard input, as one text.
#pragma once

#include <string>

namespace neardup::cli {

class Reporter;

/// "-" is standard input. Throws Error{kInput} for what cannot be read, and for more than 1 GiB.
std::string read_text(const std::string& path);

/// The same in UTF-8, from a charset as --charset names it. Warns of malformed bytes, which are read as U+FFFD.
std::string read_utf8(const std::string& path, const std::string& charset, Reporter& reporter);

}  // namespace neardup::cli
