// Connection: one client, from the first byte to the end of its last answer.
//
// The only header with types of Asio; for the files of this folder that move bytes.
#pragma once

#include <atomic>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "server/http/http.h"
#include "server/http/http_server.h"
#include "server/http/request_reader.h"
#include "server/http/stream_queue.h"

namespace neardup::server {

using SystemError = boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Strand = boost::asio::strand<boost::asio::io_context::executor_type>;
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Strand>;
using Timer = boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>, Strand>;

class Connection;

/// What the connections of a server share. It outlives the server while replies are on their way.
struct ServerState {
  ServerState(const HttpLimits& all_limits, HttpHandler& its_handler, uint32_t threads)
      : limits(all_limits), handler(its_handler), io(static_cast<int>(threads)) {}

  /// Takes the connection among the open ones. False if the server is stopping, or too many are being turned away.
  bool add(const std::shared_ptr<Connection>& connection);
  void remove(const std::shared_ptr<Connection>& connection) noexcept;
  std::vector<std::shared_ptr<Connection>> all();

  const HttpLimits limits;
  HttpHandler& handler;
  boost::asio::io_context io;
  std::atomic<bool> stopping = false;
  std::atomic<uint32_t> counted = 0;  ///< open connections but those that are turned away

  std::mutex mutex;
  std::condition_variable empty;
  std::unordered_set<std::shared_ptr<Connection>> open;
};

/// One connection. All that is not noted runs on its strand. It is owned by ServerState until it is closed, and by its pending operations.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<ServerState> shared, Socket socket, std::string peer)
      : shared_(std::move(shared)),
        socket_(std::move(socket)),
        timer_(socket_.get_executor()),
        peer_(std::move(peer)),
        reader_(shared_->limits.header_bytes) {
    head_.peer = peer_;
  }

  /// Set by ServerState::add().
  bool counted = false;

  /// For any thread.
  template <class Function>
  void post(Function function) {
    boost::asio::post(socket_.get_executor(), [weak = weak_from_this(), function = std::move(function)]() mutable {
      if (const std::shared_ptr<Connection> self = weak.lock()) self->guarded([&] { function(*self); });
    });
  }

  void begin();
  /// The server stops: only a request that was read whole is still answered.
  void wind_down();
  void close() noexcept;

  /// For any thread.
  void answer(HttpResponse response) noexcept;
  /// For any thread. `queue` is closed if there is nobody to send to.
  void answer_stream(HttpResponse head, const std::shared_ptr<StreamQueue>& queue) noexcept;
  /// Sends what waits in the queue.
  void send_stream();

 private:
  enum class Phase {
    kHead,  ///< between requests, or while a head arrives
    kBody,
    kAnswer,  ///< the handler has the request
    kWrite,
    kStream,
    kLinger,  ///< the last answer is sent; the client is to close the connection
    kClosed
  };

  /// Runs a handler of the connection: whatever it throws, which is for want of memory, closes the connection.
  template <class Function>
  void guarded(Function&& function) noexcept {
    try {
      function();
    } catch (...) {
      close();
    }
  }

  [[nodiscard]] std::string_view arrived() const { return {buffer_.get() + begin_, end_ - begin_}; }
  void give_back() noexcept;

  void proceed();
  bool take_head();
  bool take_body();
  void deliver();
  void refuse(const HttpFault& fault);
  void begin_answer(HttpResponse response);
  void begin_stream(const HttpResponse& head, const std::shared_ptr<StreamQueue>& queue);
  void respond(HttpResponse response);
  bool write();
  void begin_linger();

  /// Sends of out_ and body_ what the client takes now. True if that is all; else the connection is closed, or waits for the client.
  bool write_some();
  void start_read();
  void on_read(const SystemError& error, size_t size);
  void on_writable(const SystemError& error);
  void set_deadline(Clock::time_point deadline);
  void clear_deadline() { deadline_ = Clock::time_point::max(); }
  void on_timer();
  void expire();

  const std::shared_ptr<ServerState> shared_;
  Socket socket_;
  Timer timer_;
  const std::string peer_;
  Phase phase_ = Phase::kHead;

  // What arrives.
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
  size_t begin_ = 0;  ///< of the bytes in buffer_ that were not used yet
  size_t end_ = 0;
  bool reading_ = false;
  uint64_t drained_ = 0;

  // The request.
  RequestReader reader_;
  HttpHead head_;
  std::optional<Clock::time_point> head_deadline_;
  Clock::time_point body_deadline_;
  Clock::time_point answer_deadline_{};  // of the whole answer: a reader that takes a byte now and then would keep it for ever
  std::optional<Clock::time_point> head_read_;
  uint64_t body_bytes_ = 0;
  uint64_t reserved_bytes_ = 0;
  bool serving_ = false;            ///< inside HttpHandler::handle()
  std::atomic<bool> lost_ = false;  ///< there was no memory to bring the answer here

  // The answer.
  HttpResponse response_;
  std::string out_;
  std::string_view out_rest_, body_rest_;
  Phase after_write_ = Phase::kHead;
  bool close_after_ = false;
  bool unread_ = false;  ///< the client may still be sending what nobody will read
  bool waits_to_write_ = false;
  std::shared_ptr<StreamQueue> stream_;

  // A timer is set again only if it would be too late: for a request that arrives and is answered at once, never.
  Clock::time_point deadline_ = Clock::time_point::max();
  Clock::time_point timer_time_ = Clock::time_point::max();
};

}  // namespace neardup::server
