#include "server/http/connection_reply.h"

#include <utility>

#include "server/http/connection.h"
#include "server/http/stream_queue.h"

namespace neardup::server {
namespace {

/// The side of a stream that the handler holds.
class ConnectionStream final : public HttpStream {
 public:
  ConnectionStream(std::weak_ptr<Connection> connection, std::shared_ptr<StreamQueue> queue) noexcept
      : connection_(std::move(connection)), queue_(std::move(queue)) {}
  ConnectionStream(const ConnectionStream&) = delete;
  ConnectionStream& operator=(const ConnectionStream&) = delete;
  ~ConnectionStream() override {
    try {
      if (queue_->end()) wake();
    } catch (...) {
      queue_->close();
    }
  }

  bool write(std::string piece) override {
    switch (queue_->push(piece)) {
      case StreamQueue::Pushed::kQueued:
        return true;
      case StreamQueue::Pushed::kWake:
        wake();
        return true;
      case StreamQueue::Pushed::kTooMany:
        if (const auto connection = connection_.lock()) connection->post([](Connection& its) { its.close(); });
        return false;
      case StreamQueue::Pushed::kClosed:
        return false;
    }
    return false;
  }

 private:
  void wake() {
    if (const auto connection = connection_.lock()) connection->post([](Connection& its) { its.send_stream(); });
  }

  std::weak_ptr<Connection> connection_;
  std::shared_ptr<StreamQueue> queue_;
};

class ConnectionSink final : public HttpReply::Sink {
 public:
  ConnectionSink(std::weak_ptr<Connection> connection, bool chunked) noexcept : connection_(std::move(connection)), chunked_(chunked) {}
  ConnectionSink(const ConnectionSink&) = delete;
  ConnectionSink& operator=(const ConnectionSink&) = delete;
  // A reply that another was assigned to.
  ~ConnectionSink() override {
    if (!used_) ConnectionSink::send({.status = 500});
  }

  void send(HttpResponse response) override {
    used_ = true;
    if (const auto connection = connection_.lock()) connection->answer(std::move(response));
  }

  std::shared_ptr<HttpStream> stream(HttpResponse head) override {
    used_ = true;
    auto queue = std::make_shared<StreamQueue>(chunked_);
    auto stream = std::make_shared<ConnectionStream>(connection_, queue);
    if (const auto connection = connection_.lock()) {
      connection->answer_stream(std::move(head), queue);
    } else {
      queue->close();
    }
    return stream;
  }

 private:
  std::weak_ptr<Connection> connection_;
  bool chunked_;
  bool used_ = false;
};

}  // namespace

HttpReply make_reply(std::weak_ptr<Connection> connection, bool chunked) {
  return HttpReply(std::make_unique<ConnectionSink>(std::move(connection), chunked));
}

}  // namespace neardup::server
