// recognize_content(): what the first bytes of an input show it to be, whatever its name says.
//
// Correct JSON Lines are always recognized as such. What is something else is read as that where this is safe (one JSON document, a crawl
// archive), and else refused by its name, because each of its lines would be a rejected record.
#pragma once

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

}  // namespace neardup
