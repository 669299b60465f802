// StreamQueue: the pieces of a response without an end on their way from any thread to the thread that sends them. Thread-safe.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

namespace neardup::server {

class StreamQueue {
 public:
  static constexpr size_t kMaxWaiting = size_t{1} << 20;

  enum class Pushed {
    kQueued,
    kWake,     ///< as kQueued; the sender rests and must be woken
    kTooMany,  ///< more than kMaxWaiting bytes would wait: closed by this call
    kClosed    ///< it was before
  };

  /// `chunked`: pieces are framed as chunks; else they are sent as they are.
  explicit StreamQueue(bool chunked) noexcept : chunked_(chunked) {}

  /// An empty piece is none.
  Pushed push(std::string_view piece);
  /// Nothing comes after what waits. True if the sender must be woken.
  bool end();
  /// Drops what waits: nobody reads it.
  void close() noexcept;

  /// For the sender: all that waits, once what was taken before has been sent. If it is empty, the sender rests.
  std::string take();
  /// Nothing waits, and nothing will come.
  [[nodiscard]] bool ended() const;

 private:
  void append(std::string_view piece);

  const bool chunked_;
  mutable std::mutex mutex_;
  std::string waiting_;
  size_t taken_ = 0;
  bool resting_ = false;
  bool ended_ = false;
  bool closed_ = false;
};

}  // namespace neardup::server
