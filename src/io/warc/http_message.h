// HeaderFields: lines "Name: value" as HTTP and WARC write them. http_body(): what an HTTP response carried: transfer and content encodings
// undone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/json/problem.h"

namespace neardup {

/// Where a header ends: after its first empty line, which "\r\n\r\n" or "\n\n" makes. npos: it has no end within `bytes`; `from` is how
/// far a search before came.
size_t header_end(std::string_view bytes, size_t from = 0) noexcept;

/// Looks into the header each time: it is short, and few fields are asked for.
class HeaderFields {
 public:
  /// `header` begins after the first line.
  explicit HeaderFields(std::string_view header) : header_(header) {}
  /// The first value of that name, in any case, without white space around it; empty: none, or an empty one. Of a value that goes on in
  /// the next line, the first line.
  [[nodiscard]] std::string_view operator[](std::string_view name) const noexcept;

 private:
  std::string_view header_;
};

/// "text/html" of "Text/HTML; charset=x" as it stands, without parameters.
std::string_view media_type(std::string_view content_type) noexcept;
/// Equal in any case of ASCII letters.
bool same_word(std::string_view a, std::string_view b) noexcept;
/// Decimal digits and nothing else.
std::optional<uint64_t> whole_number(std::string_view text) noexcept;

/// The head of a response as crawl archives keep it.
struct HttpHead {
  bool is_http = false;  ///< it begins with a status line
  uint32_t status = 0;
  std::string_view fields;  ///< for HeaderFields
  size_t bytes = 0;         ///< of the whole head, with its empty line; all there is if that is missing
};
HttpHead read_http_head(std::string_view message) noexcept;

/// Undoes `Transfer-Encoding: chunked`, then `Content-Encoding` gzip, x-gzip, deflate (with or without zlib's frame) and zstd, in the
/// order that the head names. Many crawlers store the bytes with the encodings undone and leave the head as it was: a body that does not
/// begin as its encoding does is taken as it is. Returns the problem, or nothing: a body that ends too early (unless `cut` says that the
/// crawler cut it), is damaged, has another encoding, or grows beyond `most` bytes.
Problem http_body(const HttpHead& head, std::string_view stored, bool cut, uint64_t most, std::string& space, std::string_view& body);

}  // namespace neardup
