#include "server/http/stream_queue.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace neardup::server {

void StreamQueue::append(std::string_view piece) {
  if (!chunked_) {
    waiting_ += piece;
    return;
  }
  fmt::format_to(std::back_inserter(waiting_), "{:x}\r\n", piece.size());
  waiting_ += piece;
  waiting_ += "\r\n";
}

StreamQueue::Pushed StreamQueue::push(std::string_view piece) {
  const std::lock_guard lock(mutex_);
  if (closed_ || ended_) return Pushed::kClosed;
  if (piece.empty()) return Pushed::kQueued;
  if (taken_ + waiting_.size() + piece.size() > kMaxWaiting) {
    closed_ = true;
    waiting_ = {};
    return Pushed::kTooMany;
  }
  append(piece);
  return std::exchange(resting_, false) ? Pushed::kWake : Pushed::kQueued;
}

bool StreamQueue::end() {
  const std::lock_guard lock(mutex_);
  if (closed_ || ended_) return false;
  if (chunked_) waiting_ += "0\r\n\r\n";
  ended_ = true;
  return std::exchange(resting_, false);
}

void StreamQueue::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  waiting_ = {};
}

std::string StreamQueue::take() {
  const std::lock_guard lock(mutex_);
  taken_ = waiting_.size();
  resting_ = waiting_.empty();
  return std::exchange(waiting_, {});
}

bool StreamQueue::ended() const {
  const std::lock_guard lock(mutex_);
  return (ended_ || closed_) && waiting_.empty();
}

}  // namespace neardup::server
