#include "server/http/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "server/http/connection_reply.h"
#include "server/http/response_head.h"

namespace neardup::server {
namespace {

namespace asio = boost::asio;

/// What a connection reads at once. It holds as much from its first request on.
constexpr size_t kReadBytes = 32768;
/// A client that still sends what nobody reads gets this long, and this many bytes, to notice the answer: a connection that is closed with
/// unread bytes is reset, and the answer may be lost.
constexpr std::chrono::milliseconds kUnreadLinger{5000};
constexpr uint64_t kMaxDrainedBytes = uint64_t{64} << 20;
/// A client that has sent a whole request, and is to close the connection after the answer.
constexpr std::chrono::milliseconds kAnsweredLinger{1000};

std::string time_text(std::chrono::milliseconds time) {
  if (time.count() % 1000 == 0) return fmt::format("{} s", time.count() / 1000);
  return fmt::format("{} ms", time.count());
}

}  // namespace

// ---- requests

void Connection::begin() {
  guarded([&] {
    if (shared_->stopping) return close();
    if (!counted) {
      refuse({503, fmt::format("The server has as many connections as it takes: {}.", shared_->limits.connections)});
    } else {
      head_deadline_ = Clock::now() + shared_->limits.header_time;
    }
    proceed();
  });
}

/// Goes on until there is something to wait for.
void Connection::proceed() {
  bool more = true;
  while (more) {
    switch (phase_) {
      case Phase::kHead:
        more = take_head();
        break;
      case Phase::kBody:
        more = take_body();
        break;
      case Phase::kWrite:
        more = write();
        break;
      default:
        more = false;
    }
  }
}

bool Connection::take_head() {
  const HttpLimits& limits = shared_->limits;
  if (shared_->stopping) {
    close();
    return false;
  }
  const std::string_view bytes = arrived();
  const size_t size = bytes.empty() ? 0 : reader_.read_head(bytes, head_);
  if (reader_.fault()) {
    refuse(*reader_.fault());
    return true;
  }
  const Clock::time_point now = Clock::now();
  if (size == 0) {
    if (!bytes.empty() && !head_deadline_) head_deadline_ = now + limits.header_time;
    set_deadline(head_deadline_.value_or(now + limits.idle_time));
    start_read();
    return false;
  }
  begin_ += size;
  head_deadline_.reset();
  head_read_ = now;
  clear_deadline();
  close_after_ = !reader_.keep_alive();
  HttpAdmission admission = shared_->handler.admit(head_);
  reserved_bytes_ = admission.reserved_bytes;
  if (admission.refusal) {
    give_back();
    close_after_ = unread_ = close_after_ || head_.has_body;
    respond(std::move(*admission.refusal));
    return true;
  }
  if (!head_.has_body) {
    deliver();
    return true;
  }
  if (!reader_.allow_body(admission.max_body_bytes)) {
    refuse(*reader_.fault());
    return true;
  }
  body_deadline_ = now + limits.body_time;
  phase_ = Phase::kBody;
  if (reader_.expects_continue() && arrived().empty()) {
    out_ = "HTTP/1.1 100 Continue\r\n\r\n";
    out_rest_ = out_;
    after_write_ = Phase::kBody;
    phase_ = Phase::kWrite;
  }
  return true;
}

bool Connection::take_body() {
  begin_ += reader_.read_body(arrived());
  if (reader_.fault()) {
    refuse(*reader_.fault());
    return true;
  }
  if (reader_.done()) {
    deliver();
    return true;
  }
  if (end_ - begin_ == capacity_) {
    refuse({400, fmt::format("A chunk header or the trailer of the body is larger than {} bytes.", capacity_)});
    return true;
  }
  set_deadline(std::min(Clock::now() + shared_->limits.progress_time, body_deadline_));
  start_read();
  return false;
}

void Connection::deliver() {
  clear_deadline();
  HttpRequest request;
  static_cast<HttpHead&>(request) = head_;
  request.body = reader_.take_body();
  body_bytes_ = request.body.size();
  phase_ = Phase::kAnswer;
  HttpReply reply = make_reply(weak_from_this(), reader_.http_1_1());
  serving_ = true;
  shared_->handler.handle(std::move(request), std::move(reply));
  serving_ = false;
  // The answer may take as long as it likes; but it may have been lost.
  if (phase_ == Phase::kAnswer) set_deadline(Clock::now() + shared_->limits.idle_time);
}

void Connection::refuse(const HttpFault& fault) {
  give_back();
  close_after_ = unread_ = true;
  HttpResponse response = shared_->handler.problem(fault.status, fault.detail);
  if (fault.status == 415) response.headers.emplace_back("Accept-Encoding", "gzip, zstd");
  const auto is_retry = [](const auto& header) { return header.first == "Retry-After"; };
  if (fault.status == 503 && std::none_of(response.headers.begin(), response.headers.end(), is_retry)) {
    response.headers.emplace_back("Retry-After", "1");
  }
  respond(std::move(response));
}

void Connection::give_back() noexcept {
  if (const uint64_t bytes = std::exchange(reserved_bytes_, 0)) shared_->handler.release(bytes);
}

// ---- answers

void Connection::answer(HttpResponse response) noexcept {
  try {
    // From inside of handle(), take_head() or take_body() continue with it.
    if (socket_.get_executor().running_in_this_thread() && serving_) return begin_answer(std::move(response));
    post([response = std::move(response)](Connection& its) mutable {
      its.begin_answer(std::move(response));
      its.proceed();
    });
  } catch (...) {
    lost_ = true;
  }
}

void Connection::answer_stream(HttpResponse head, const std::shared_ptr<StreamQueue>& queue) noexcept {
  try {
    if (socket_.get_executor().running_in_this_thread() && serving_) return begin_stream(head, queue);
    post([head = std::move(head), queue](Connection& its) {
      its.begin_stream(head, queue);
      its.proceed();
    });
  } catch (...) {
    queue->close();
    lost_ = true;
  }
}

void Connection::begin_answer(HttpResponse response) {
  if (phase_ != Phase::kAnswer) return;  // closed meanwhile
  give_back();
  if (response.status == 500 && response.content_type.empty()) {
    response = shared_->handler.problem(500, "The server did not answer the request.");
  }
  if (shared_->stopping) close_after_ = true;
  respond(std::move(response));
}

void Connection::respond(HttpResponse response) {
  response_ = std::move(response);
  const std::string_view body = response_.fixed_body.empty() ? std::string_view(response_.body) : response_.fixed_body;
  const bool no_body = response_.content_type.empty() || never_has_body(response_.status);
  ResponseFraming framing = {.close = close_after_, .keep_alive = !close_after_ && head_read_ && !reader_.http_1_1()};
  if (!never_has_body(response_.status)) framing.content_length = no_body ? 0 : body.size();
  out_.clear();
  append_response_head(out_, response_, framing);
  out_rest_ = out_;
  body_rest_ = no_body || head_.method == HttpMethod::kHead ? std::string_view() : body;
  after_write_ = close_after_ ? Phase::kLinger : Phase::kHead;
  phase_ = Phase::kWrite;
  answer_deadline_ = Clock::now() + shared_->limits.body_time;
  const auto micros = head_read_ ? std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - *head_read_).count() : 0;
  shared_->handler.answered(head_, response_.status, body_bytes_, body_rest_.size(), static_cast<uint64_t>(micros));
}

bool Connection::write() {
  if (!write_some()) return false;
  clear_deadline();
  std::string().swap(response_.body);  // an assignment would keep its memory
  response_ = {};
  phase_ = after_write_;
  if (phase_ == Phase::kLinger) begin_linger();
  if (phase_ != Phase::kHead) return true;
  reader_.reset();
  std::string peer = std::move(head_.peer);
  head_ = {};
  head_.peer = std::move(peer);
  head_read_.reset();
  body_bytes_ = 0;
  return true;
}

bool Connection::write_some() {
  while (!out_rest_.empty() || !body_rest_.empty()) {
    const std::array<asio::const_buffer, 2> pieces = {asio::const_buffer(out_rest_.data(), out_rest_.size()),
                                                      asio::const_buffer(body_rest_.data(), body_rest_.size())};
    SystemError error;
    const size_t sent = socket_.write_some(pieces, error);
    if (error == asio::error::would_block || error == asio::error::try_again) {
      set_deadline(std::min(Clock::now() + shared_->limits.progress_time, answer_deadline_));
      waits_to_write_ = true;
      socket_.async_wait(Socket::wait_write,
                         [self = shared_from_this()](const SystemError& result) { self->guarded([&] { self->on_writable(result); }); });
      return false;
    }
    if (error) {
      close();
      return false;
    }
    const size_t of_out = std::min(sent, out_rest_.size());
    out_rest_.remove_prefix(of_out);
    body_rest_.remove_prefix(sent - of_out);
  }
  return true;
}

void Connection::on_writable(const SystemError& error) {
  waits_to_write_ = false;
  if (phase_ == Phase::kClosed) return;
  if (error) return close();
  if (phase_ == Phase::kStream) return send_stream();
  proceed();
}

void Connection::begin_stream(const HttpResponse& head, const std::shared_ptr<StreamQueue>& queue) {
  if (phase_ != Phase::kAnswer) return queue->close();
  give_back();
  if (shared_->stopping) close_after_ = true;
  const bool chunked = reader_.http_1_1();
  const bool is_head = head_.method == HttpMethod::kHead;
  // Bytes that arrive during a stream are only a sign of life: no request follows it.
  close_after_ = close_after_ || !is_head;
  out_.clear();
  append_response_head(out_, head, {.chunked = chunked, .close = close_after_});
  out_rest_ = out_;
  body_rest_ = {};
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - *head_read_).count();
  shared_->handler.answered(head_, head.status, body_bytes_, is_head ? 0 : head.body.size(), static_cast<uint64_t>(micros));
  if (is_head) {
    queue->close();
    after_write_ = close_after_ ? Phase::kLinger : Phase::kHead;
    phase_ = Phase::kWrite;
    return;
  }
  stream_ = queue;
  phase_ = Phase::kStream;
  clear_deadline();
  if (!head.body.empty()) {
    if (chunked) out_ += fmt::format("{:x}\r\n", head.body.size());
    out_ += head.body;
    if (chunked) out_ += "\r\n";
    out_rest_ = out_;
  }
  if (shared_->stopping) queue->end();
  begin_ = end_ = 0;
  start_read();
  send_stream();
}

void Connection::send_stream() {
  if (phase_ != Phase::kStream || waits_to_write_) return;
  while (write_some()) {
    clear_deadline();
    out_ = stream_->take();
    out_rest_ = out_;
    if (!out_.empty()) continue;
    if (stream_->ended()) begin_linger();
    return;
  }
}

// ---- ends

void Connection::begin_linger() {
  phase_ = Phase::kLinger;
  SystemError ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  set_deadline(Clock::now() + std::min(shared_->limits.progress_time, unread_ ? kUnreadLinger : kAnsweredLinger));
  begin_ = end_ = 0;
  start_read();
}

void Connection::wind_down() {
  switch (phase_) {
    case Phase::kHead:
    case Phase::kBody:
      return close();
    case Phase::kAnswer:
      close_after_ = true;
      return;
    case Phase::kWrite:
      if (after_write_ == Phase::kBody) return close();
      after_write_ = Phase::kLinger;
      return;
    case Phase::kStream:
      if (stream_->end()) send_stream();
      return;
    case Phase::kLinger:
      set_deadline(std::min(deadline_, Clock::now() + kAnsweredLinger));
      return;
    case Phase::kClosed:
      return;
  }
}

void Connection::close() noexcept {
  if (phase_ == Phase::kClosed) return;
  phase_ = Phase::kClosed;
  const std::shared_ptr<Connection> self = shared_from_this();
  SystemError ignored;
  socket_.close(ignored);
  try {
    timer_.cancel();
  } catch (...) {  // then it ends with its time
  }
  give_back();
  if (stream_) stream_->close();
  shared_->remove(self);
}

// ---- waiting

void Connection::start_read() {
  if (reading_) return;
  if (!buffer_) {
    capacity_ = std::max<size_t>(kReadBytes, shared_->limits.header_bytes);
    buffer_ = std::make_unique_for_overwrite<char[]>(capacity_);
  }
  if (begin_ != 0) {
    std::copy(buffer_.get() + begin_, buffer_.get() + end_, buffer_.get());
    end_ -= begin_;
    begin_ = 0;
  }
  reading_ = true;
  socket_.async_read_some(
      asio::buffer(buffer_.get() + end_, capacity_ - end_),
      [self = shared_from_this()](const SystemError& error, size_t size) { self->guarded([&] { self->on_read(error, size); }); });
}

void Connection::on_read(const SystemError& error, size_t size) {
  reading_ = false;
  if (phase_ == Phase::kClosed) return;
  if (error) {
    // An answer that is being written, because a request came too slowly, may still be read by a client that sends no more.
    if (phase_ == Phase::kWrite) return;
    return close();
  }
  if (phase_ == Phase::kHead || phase_ == Phase::kBody) {
    end_ += size;
    return proceed();
  }
  // Nobody wants what arrives now.
  begin_ = end_ = 0;
  drained_ += size;
  if (drained_ > kMaxDrainedBytes) return close();
  if (phase_ != Phase::kWrite) start_read();
}

void Connection::set_deadline(Clock::time_point deadline) {
  deadline_ = deadline;
  if (deadline >= timer_time_) return;  // it will find the new deadline when it fires
  timer_time_ = deadline;
  timer_.expires_at(deadline);
  timer_.async_wait([self = shared_from_this()](const SystemError& error) {
    if (!error) self->guarded([&] { self->on_timer(); });
  });
}

void Connection::on_timer() {
  if (phase_ == Phase::kClosed) return;
  timer_time_ = Clock::time_point::max();
  if (deadline_ == Clock::time_point::max()) return;
  if (Clock::now() < deadline_) return set_deadline(deadline_);
  expire();
}

void Connection::expire() {
  const HttpLimits& limits = shared_->limits;
  clear_deadline();
  switch (phase_) {
    case Phase::kHead:
      // A client that said nothing gets no answer: it may be about to begin a request.
      if (arrived().empty()) return close();
      refuse({408, fmt::format("The head of the request did not arrive within {}.", time_text(limits.header_time))});
      return proceed();
    case Phase::kBody: {
      const bool late = Clock::now() >= body_deadline_;
      refuse({408, late ? fmt::format("The body did not arrive within {}.", time_text(limits.body_time))
                        : fmt::format("No byte of the body arrived for {}.", time_text(limits.progress_time))});
      return proceed();
    }
    case Phase::kAnswer:
      if (lost_) return close();
      return set_deadline(Clock::now() + limits.idle_time);
    default:
      return close();
  }
}

}  // namespace neardup::server
