// HeaderFields: lines "Name: value" of HTTP and WARC. http_body(): the decoded body of an HTTP response.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/json/problem.h"

namespace neardup {

/// The end of a header: after its first empty line ("\r\n\r\n" or "\n\n"). npos: no end within `bytes`; `from` is where an earlier search
/// stopped.
size_t header_end(std::string_view bytes, size_t from = 0) noexcept;

/// Searches the header each time: it is short, and few fields are needed.
class HeaderFields {
 public:
  /// `header` begins after the first line.
  explicit HeaderFields(std::string_view header) : header_(header) {}
  /// The first value of that name, in any case, without white space around it; empty: none, or an empty one. Of a value that continues in
  /// the next line, the first line.
  [[nodiscard]] std::string_view operator[](std::string_view name) const noexcept;

 private:
  std::string_view header_;
};

/// "Text/HTML" of "Text/HTML; charset=x", without parameters.
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
  size_t bytes = 0;         ///< of the whole head, with its empty line; everything if that is missing
};
HttpHead read_http_head(std::string_view message) noexcept;

/// Decodes `Transfer-Encoding: chunked`, then `Content-Encoding` gzip, x-gzip, deflate (with or without zlib's frame) and zstd, in the
/// order of the head. Many crawlers store decoded bytes with the original head: a body that does not begin like its encoding is used
/// unchanged. Returns the problem, or nothing: a body that ends too early (unless `cut` says that the crawler cut it), is damaged, has
/// another encoding, or grows beyond `most` bytes.
Problem http_body(const HttpHead& head, std::string_view stored, bool cut, uint64_t most, std::string& space, std::string_view& body);

}  // namespace neardup
