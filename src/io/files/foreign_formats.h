// foreign_format(): files that are not lines of text, told by their first bytes.
//
// Without it, each line of such a file would be a rejected record. No correct JSON Lines begin like any of them. A format that begins with
// a few letters is told by what follows them too: a text may begin with any word.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup {

struct ForeignFormat {
  std::string_view name;    ///< "a PDF file"; empty: none of them
  std::string_view advice;  ///< what to do with it, to be added to a message; may be empty
};

/// All formats are recognized by so many bytes: a tar archive needs the most.
inline constexpr size_t kForeignBytes = 265;
/// By the first bytes, as many as there are.
ForeignFormat foreign_format(std::string_view head) noexcept;
/// True if more bytes than these may make it one, although a line ends here: some formats have a line end in their first bytes.
bool may_become_foreign(std::string_view head) noexcept;

/// "'x.jsonl' is a PDF file; extract its text first". `read` says what is read here, where the format gives no advice of its own.
std::string foreign_message(std::string_view path, const ForeignFormat& format, std::string_view read);

}  // namespace neardup
