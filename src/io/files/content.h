// recognize_content(): what the first bytes of an input show it to be, whatever its name says. foreign_format(): files that are not lines
// of text.
//
// Correct JSON Lines are always recognized as such, and none of them begin like a foreign format. What is something else is read as that
// where this is safe (one JSON document, a crawl archive), and else refused by its name, because each of its lines would be a rejected
// record. A format that begins with a few letters is told by what follows them too: a text may begin with any word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"

namespace neardup {

/// How records stand in the plain bytes of an input.
enum class Layout : uint8_t {
  kLines,     ///< one on a line
  kDocument,  ///< one JSON document: arrays of objects, or objects over several lines (json_document.h)
  kArchive,   ///< WARC
};

struct Content {
  Compression compression = Compression::kNone;
  Layout layout = Layout::kLines;
};

/// Reads the beginning of the stream and rewinds it. `live`: of lines, no more than the first one that settles what it is, so that they can
/// be answered as they come; in whatever pieces they come, the same bytes give the same. Throws Error{kInput} that names `path` and what it
/// is, for a foreign format and for text that is not UTF-8.
Content recognize_content(ByteStream& stream, const std::string& path, bool live = false);

/// The layout of plain bytes that begin like this. `whole`: they are all there are.
Layout layout_of(std::string_view head, bool whole);

/// "UTF-16LE", "gb18030", ...: the charset in which bytes that begin like this are text, when most of their lines are not UTF-8. Empty:
/// they are, or too few are known.
std::string foreign_charset(std::string_view head, bool whole);

/// A format that is not lines of text, told by its first bytes.
struct ForeignFormat {
  std::string_view name;    ///< "a PDF file"; empty: none of them
  std::string_view advice;  ///< what to do with it, to be added to a message; may be empty
};

/// All formats are recognized within this many bytes: a tar archive needs the most.
inline constexpr size_t kForeignBytes = 265;
/// By the first bytes, as many as there are.
ForeignFormat foreign_format(std::string_view head) noexcept;
/// True if more bytes than these may make it one, although a line ends here: some formats have a line end in their first bytes.
bool may_become_foreign(std::string_view head) noexcept;

/// "'x.jsonl' is a PDF file; extract its text first". `read` says what is read here, where the format gives no advice of its own.
std::string foreign_message(std::string_view path, const ForeignFormat& format, std::string_view read);

}  // namespace neardup
