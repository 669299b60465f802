// HttpServer: HTTP/1.1 over TCP by Boost.Beast, with the limits that a server needs and Beast does not set.
//
// It refuses what servers and proxies may read differently: Content-Length next to Transfer-Encoding, no or several Host headers in
// HTTP/1.1, a target that is not a path, header lines that are folded. Bodies may be compressed with gzip or zstd; they are decoded within
// the bound that HttpHandler::admit() gave.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "server/http/http.h"

namespace neardup::server {

struct HttpLimits {
  uint32_t header_bytes = 8192;
  uint32_t connections = 256;                       ///< at once; more are answered 503 and closed
  std::chrono::milliseconds header_time{10'000};    ///< from the first byte of a request, or from the connection, to the end of its head
  std::chrono::milliseconds idle_time{30'000};      ///< between requests of a connection
  std::chrono::milliseconds progress_time{10'000};  ///< a body, or a client that reads its answer, must move within it
  std::chrono::milliseconds body_time{120'000};     ///< a whole body, and a whole answer
};

struct HttpAddress {
  std::string host = "127.0.0.1";  ///< an address, not a name
  uint16_t port = 8080;            ///< 0: any free one
};

class HttpServer {
 public:
  /// Listens, and answers by `handler` from `threads` threads of its own. The handler outlives the server. Throws Error{kUsage} for an
  /// invalid address, Error{kOutput} when it cannot be listened on.
  HttpServer(const HttpAddress& address, const HttpLimits& limits, uint32_t threads, HttpHandler& handler);
  /// As stop(0).
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// The address that it listens on.
  [[nodiscard]] const HttpAddress& address() const noexcept;
  [[nodiscard]] uint32_t connections() const noexcept;
  /// Accepts no more connections and no more requests, lets those that were read whole be answered for at most this time, ends streams, and
  /// returns when all threads have ended.
  void stop(std::chrono::milliseconds patience);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::server
