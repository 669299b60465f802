// recognize_content(): recognizes the kind of an input by its first bytes, not by its name. foreign_format(): files that are not lines of
// text.
//
// Correct JSON Lines are always recognized as such, and none of them begin like a foreign format. Other kinds are read as such if this is
// safe (one JSON document, a crawl archive), and otherwise rejected by name, because each of their lines would be a rejected record. A
// format that begins with a few letters is recognized by the following bytes too: a text may begin with any word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"

namespace neardup {

/// The layout of records in the plain bytes of an input.
enum class Layout : uint8_t {
  kLines,     ///< one on a line
  kDocument,  ///< one JSON document: arrays of objects, or objects over several lines (json_document.h)
  kArchive,   ///< WARC
};

struct Content {
  Compression compression = Compression::kNone;
  Layout layout = Layout::kLines;
};

/// Reads the beginning of the stream and rewinds it. `live`: reads only up to the first line that determines the kind, so that lines can be
/// answered as they arrive; the result depends only on the bytes, not on how they are cut into pieces. Throws Error{kInput} that names
/// `path` and the format, for a foreign format and for text that is not UTF-8.
Content recognize_content(ByteStream& stream, const std::string& path, bool live = false);

/// What a file whose name says nothing holds.
enum class UnnamedContent : uint8_t {
  kJson,     ///< its first line is, or begins, a JSON object, or it is one JSON document
  kArchive,  ///< WARC
  kParquet,
  kOther,
};
/// Reads the beginning of the stream and rewinds it. Throws Error{kInput} if it cannot be read.
UnnamedContent recognize_unnamed(ByteStream& stream);

/// The layout of plain bytes that begin like this. `whole`: these are all bytes.
Layout layout_of(std::string_view head, bool whole);

/// "UTF-16LE", "gb18030", ...: the probable charset of text with these first bytes, if most of its lines are not UTF-8. Empty: UTF-8, or
/// too few bytes.
std::string foreign_charset(std::string_view head, bool whole);

/// A format that is not lines of text, recognized by its first bytes.
struct ForeignFormat {
  std::string_view name;    ///< "a PDF file"; empty: none of them
  std::string_view advice;  ///< what to do with it, for messages; may be empty
};

/// All formats are recognized within this many bytes: a tar archive needs the most.
inline constexpr size_t kForeignBytes = 265;
/// By the first bytes, as many as there are.
ForeignFormat foreign_format(std::string_view head) noexcept;
/// True if these bytes may begin such a format, although a line ends here: some formats have a line end in their first bytes.
bool may_become_foreign(std::string_view head) noexcept;

/// "'x.jsonl' is a PDF file; extract its text first". `read` names the formats that are read here, if the format has no advice.
std::string foreign_message(std::string_view path, const ForeignFormat& format, std::string_view read);

}  // namespace neardup
