// http_body(): what an HTTP response carried: transfer and content encodings undone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/json/problem.h"

namespace neardup {

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
