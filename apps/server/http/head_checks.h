// Checks what a parser of HTTP leaves to its user, and fills an HttpHead. Knows nothing of the parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "server/http/body_decoder.h"
#include "server/http/http.h"

namespace neardup::server {

inline constexpr size_t kMaxHeaderFields = 100;

struct HeaderField {
  std::string_view name, value;  ///< the value without spaces around it
};

/// Why a request is refused by the transport.
struct HttpFault {
  uint16_t status = 400;
  std::string detail;  ///< a sentence
};

/// What the head says of how the body is sent.
struct BodyHead {
  bool chunked = false;
  bool expects_continue = false;
  std::optional<BodyEncoding> encoding = BodyEncoding::kIdentity;  ///< missing: one that the server cannot decode
};

/// Fills all of `head` but `peer`, and `body`. Refuses
/// - with 400: Content-Length next to Transfer-Encoding, or in HTTP/1.0 Transfer-Encoding; a Content-Length that is not one number; several
///   headers of a kind that is read once; in HTTP/1.1 no Host, and a Host that is not a host; a target that is not a path of visible ASCII;
/// - with 417: an expectation other than 100-continue; with 431: more than kMaxHeaderFields fields; with 501: other transfer codings than
///   chunked.
[[nodiscard]] std::optional<HttpFault> check_head(HttpMethod method, std::string_view target, bool http_1_1,
                                                  std::span<const HeaderField> fields, HttpHead& head, BodyHead& body);

}  // namespace neardup::server
