// Writes the head of a response. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/http.h"

namespace neardup::server {

/// How a response ends, and what becomes of the connection.
struct ResponseFraming {
  std::optional<uint64_t> content_length{};  ///< missing: chunked, or until the connection is closed, or there is never a body
  bool chunked = false;
  bool close = false;
  bool keep_alive = false;  ///< says so, as clients of HTTP/1.0 want it
};

/// Appends the status line and the headers: those of every answer (Date, Server, X-Content-Type-Options), those of `framing`, and those of
/// `response`, in whose values line ends and other control characters become spaces.
void append_response_head(std::string& out, const HttpResponse& response, const ResponseFraming& framing);

/// True if a response with this status never has a body.
[[nodiscard]] bool never_has_body(uint16_t status) noexcept;

}  // namespace neardup::server
