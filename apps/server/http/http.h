// The interface between the HTTP transport and what answers requests: HttpHandler is called by HttpServer (http/http_server.h), and knows
// nothing of sockets.
//
// A request comes in two steps. admit() sees its head, and may refuse it before its body is read. handle() gets the whole request, and
// answers by HttpReply, at once or later, from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neardup::server {

/// kOther: a method that nothing here takes.
enum class HttpMethod : uint8_t { kGet, kHead, kPost, kPut, kDelete, kOptions, kOther };

/// What a client said before the body.
struct HttpHead {
  HttpMethod method = HttpMethod::kGet;
  std::string target = {};         ///< as sent: "/v1/stores/news/documents/a%2Fb?limit=5"; begins with '/'
  std::string peer = {};           ///< the address of the client, "127.0.0.1:41034"
  std::string host = {};           ///< the Host header
  std::string origin = {};         ///< the headers of these names, or empty
  std::string fetch_site = {};     ///< Sec-Fetch-Site
  std::string authorization = {};  ///< never logged
  std::string content_type = {};
  std::string if_none_match = {};
  bool accepts_gzip = false;
  bool compressed = false;                      ///< the body has a Content-Encoding other than identity
  bool has_body = false;                        ///< of unknown length if content_length is missing
  std::optional<uint64_t> content_length = {};  ///< of the body as sent, compressed or not
};

struct HttpRequest : HttpHead {
  std::string body = {};  ///< decoded; at most the bytes that admit() allowed
};

struct HttpResponse {
  uint16_t status = 200;
  std::string_view content_type{};  ///< of a literal; empty: there is no body
  std::string body{};
  std::string_view fixed_body{};                                    ///< in place of `body`: bytes that live as long as the program
  std::vector<std::pair<std::string_view, std::string>> headers{};  ///< further ones; names of literals
};

/// A response that goes on until one side ends it: server-sent events. For any thread.
class HttpStream {
 public:
  virtual ~HttpStream() = default;
  /// Sends a piece after those before it. False if the client is gone, or reads too slowly (more than 1 MiB waits): then it is closed.
  virtual bool write(std::string piece) = 0;
};

/// Answers one request; movable. Destroyed unused, it answers 500.
class HttpReply {
 public:
  /// What the transport does with the answer.
  class Sink {
   public:
    virtual ~Sink() = default;
    virtual void send(HttpResponse response) = 0;
    virtual std::shared_ptr<HttpStream> stream(HttpResponse head) = 0;
  };

  explicit HttpReply(std::unique_ptr<Sink> sink) noexcept : sink_(std::move(sink)) {}
  HttpReply(HttpReply&&) noexcept = default;
  HttpReply& operator=(HttpReply&&) noexcept = default;
  ~HttpReply() {
    if (sink_) sink_->send({.status = 500});
  }

  /// False once it was used or moved from.
  explicit operator bool() const noexcept { return sink_ != nullptr; }
  void send(HttpResponse response) { std::exchange(sink_, nullptr)->send(std::move(response)); }
  /// Begins a response without an end. `head.body` is the first piece. The stream may outlive the connection and the server.
  std::shared_ptr<HttpStream> stream(HttpResponse head) { return std::exchange(sink_, nullptr)->stream(std::move(head)); }

 private:
  std::unique_ptr<Sink> sink_;
};

/// What admit() says.
struct HttpAdmission {
  std::optional<HttpResponse> refusal{};  ///< sent instead of reading the body
  uint64_t max_body_bytes = 0;            ///< decoded
  uint64_t reserved_bytes = 0;            ///< given back by HttpHandler::release() when the request is answered or given up
};

/// Called by several threads at once. Nothing here may block, or throw.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  virtual HttpAdmission admit(const HttpHead& head) noexcept = 0;
  virtual void handle(HttpRequest request, HttpReply reply) noexcept = 0;
  /// A response for what the transport itself finds wrong: 400, 408, 413, 415, 431, 503, ... `detail` is a sentence.
  virtual HttpResponse problem(uint16_t status, std::string_view detail) noexcept = 0;
  virtual void release(uint64_t reserved_bytes) noexcept = 0;
  /// After an answer is on its way: for logs and metrics. `micros`: since the head was read.
  virtual void answered(const HttpHead& head, uint16_t status, uint64_t body_bytes, uint64_t answer_bytes, uint64_t micros) noexcept = 0;
};

}  // namespace neardup::server
