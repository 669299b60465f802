// The records of a crawl archive as documents. Documents are: a `response` to HTTP with status 200, a `resource` or a `conversion` (WET)
// whose content is text/html, application/xhtml+xml or text/plain; of a conversion any text. Other records are rows without a document:
// like blank lines of JSON Lines they count, so that the row of a document is the number of its record in the archive, from 1.
#pragma once

#include <cstdint>
#include <memory>

#include "io/bytes/byte_stream.h"
#include "io/files/charset.h"
#include "io/files/line_batch.h"
#include "io/files/line_part.h"

namespace neardup {

/// A document is the line {"id": WARC-Record-ID without its brackets, "url": WARC-Target-URI, "date": WARC-Date, "type": content type,
/// "text": ...}, without members that the record lacks. A page stays HTML; its charset is that of decode_declared(). A damaged record is a
/// rejected one; its line has "problem", "offset" (in the file, of the record or its member) and "record", the bytes there are, but for
/// those of one that is too long. `stored` and `charset`, the default for undeclared ones, must outlive the part. Throws Error{kInput} for
/// a compression without members.
std::unique_ptr<LinePart> make_warc_records(const StoredBytes& stored, Compression compression, uint32_t source, const Charset& charset,
                                            LineContext& context);

}  // namespace neardup
