// foreign_format(): files that are not lines of text, told by their first bytes.
//
// Without it, each line of such a file would be a rejected record. No correct JSON Lines begin like any of them.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

struct ForeignFormat {
  std::string_view name;    ///< "a PDF file"; empty: none of them
  std::string_view advice;  ///< what to do with it, to be added to a message; may be empty
};

/// By the first bytes, as many as there are; a tar archive is recognized by 262.
ForeignFormat foreign_format(std::string_view head) noexcept;

/// "'x.jsonl' is a PDF file; extract its text first". `read` says what is read here, where the format gives no advice of its own.
std::string foreign_message(std::string_view path, const ForeignFormat& format, std::string_view read);

}  // namespace neardup
