// A server with a handler that a test scripts, and the requests that tests send to it.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/http/http_server.h"
#include "support/raw_http.h"

namespace neardup::server {

using neardup::testing::RawHttp;
using neardup::testing::RawResponse;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

inline constexpr uint64_t kMaxBody = 1000;

/// Answers with what it was asked for, unless a test says otherwise; counts what the transport owes it.
class ScriptedHandler : public HttpHandler {
 public:
  struct Answered {
    HttpHead head;
    uint16_t status;
    uint64_t body_bytes, answer_bytes;
  };

  std::function<HttpAdmission(const HttpHead&)> on_admit = [](const HttpHead&) { return HttpAdmission{{}, kMaxBody, 7}; };
  std::function<void(HttpRequest, HttpReply)> on_handle = [](HttpRequest request, HttpReply reply) {
    reply.send({.content_type = "text/plain", .body = request.target + "|" + request.body});
  };

  HttpAdmission admit(const HttpHead& head) noexcept override {
    const HttpAdmission admission = on_admit(head);
    reserved += admission.reserved_bytes;
    if (admission.reserved_bytes != 0) ++admitted;
    return admission;
  }
  void handle(HttpRequest request, HttpReply reply) noexcept override {
    ++handled;
    on_handle(std::move(request), std::move(reply));
  }
  HttpResponse problem(uint16_t status, std::string_view detail) noexcept override {
    return {.status = status, .content_type = "text/plain", .body = std::string(detail)};
  }
  void release(uint64_t reserved_bytes) noexcept override {
    reserved -= reserved_bytes;
    ++released;
  }
  void answered(const HttpHead& head, uint16_t status, uint64_t body_bytes, uint64_t answer_bytes, uint64_t) noexcept override {
    const std::lock_guard lock(mutex_);
    answers_.push_back({head, status, body_bytes, answer_bytes});
  }
  [[nodiscard]] std::vector<Answered> answers() const {
    const std::lock_guard lock(mutex_);
    return answers_;
  }

  std::atomic<uint64_t> reserved = 0;
  std::atomic<int> admitted = 0, released = 0, handled = 0;

 private:
  mutable std::mutex mutex_;
  std::vector<Answered> answers_;
};

/// Keeps requests until the test answers them.
class Desk {
 public:
  void take(HttpReply reply) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(reply));
    arrived_.notify_all();
  }
  HttpReply next() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !waiting_.empty(); });
    return pop();
  }
  /// Waits a millisecond at most.
  std::optional<HttpReply> try_next() {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, milliseconds(1), [&] { return !waiting_.empty(); })) return std::nullopt;
    return pop();
  }

 private:
  HttpReply pop() {
    HttpReply reply = std::move(waiting_.front());
    waiting_.pop_front();
    return reply;
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<HttpReply> waiting_;
};

class HttpServerTest : public ::testing::Test {
 protected:
  void start(const HttpLimits& limits = {}) { server_.emplace(HttpAddress{"127.0.0.1", 0}, limits, 2, handler_); }
  [[nodiscard]] uint16_t port() const { return server_->address().port; }
  void keep_replies() {
    handler_.on_handle = [this](HttpRequest, HttpReply reply) { desk_.take(std::move(reply)); };
  }
  /// Waits until it is so, at most ten seconds.
  template <class Condition>
  static bool soon(Condition condition) {
    for (int i = 0; i < 2000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(milliseconds(5));
    }
    return false;
  }
  void TearDown() override {
    server_.reset();
    EXPECT_EQ(handler_.reserved, 0U);
    EXPECT_EQ(handler_.released, handler_.admitted);
  }
  /// The status of one request on a connection of its own.
  RawResponse ask(std::string_view bytes) const {
    RawHttp client(port());
    client.send(bytes);
    return client.read();
  }

  ScriptedHandler handler_;
  Desk desk_;
  std::optional<HttpServer> server_;
};

inline std::string post(std::string_view body, std::string_view headers = "") {
  return "POST /p HTTP/1.1\r\nHost: x\r\n" + std::string(headers) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}
inline const std::string kGet = "GET /g HTTP/1.1\r\nHost: x\r\n\r\n";
inline const std::string kChunkedHead = "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

}  // namespace neardup::server
