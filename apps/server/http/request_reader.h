// RequestReader: makes requests of the bytes of a connection. The parser is that of Boost.Beast; what it does not check, HeadScanner and
// check_head() do. Not thread-safe.
//
// Of one request: read_head() until it has been read, then allow_body(), then read_body() until done(). The reader is of no more use once
// there is a fault(), and the connection neither, since nobody knows where the next request begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/head_checks.h"
#include "server/http/http.h"

namespace neardup::server {

class RequestReader {
 public:
  explicit RequestReader(uint32_t max_header_bytes);
  ~RequestReader();

  /// Begins the next request.
  void reset();

  /// `bytes` are all bytes of the request so far. Returns the size of the head once it is whole, with `head` filled but for `peer`; else 0.
  size_t read_head(std::string_view bytes, HttpHead& head);
  /// Of the head: whether the connection may be used for another request.
  [[nodiscard]] bool keep_alive() const;
  [[nodiscard]] bool http_1_1() const;
  [[nodiscard]] bool expects_continue() const;

  /// Decodes the body within this bound. False if there is a fault already: an unknown encoding, or a larger size announced.
  bool allow_body(uint64_t max_bytes);
  /// Returns how many of `bytes` it has used; the others are to be given again with those that follow them.
  size_t read_body(std::string_view bytes);
  /// The body is whole and decoded.
  [[nodiscard]] bool done() const;
  std::string take_body();

  /// Why the request cannot be read.
  [[nodiscard]] const std::optional<HttpFault>& fault() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace neardup::server
