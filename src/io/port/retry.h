// retried(): repeats an operation when the connection to a server is lost, after increasing waits, and then gives up.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

#include "neardup/error.h"
#include "neardup/stop.h"

namespace neardup {

/// An error that a retry may overcome: the server is unavailable, or another client has the lock.
class TransientError : public Error {
 public:
  using Error::Error;
};

struct Patience {
  uint32_t attempts = 6;                      ///< in all
  std::chrono::milliseconds first_wait{250};  ///< doubled after each
};

/// Throws Error{kStopped} within a twentieth of a second of a request to stop.
inline void wait_for(std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds kAskEvery{50};
  for (; time.count() > 0; time -= kAskEvery) {
    check_stop();
    std::this_thread::sleep_for(std::min(time, kAskEvery));
  }
}

/// Calls `attempt` until it does not throw TransientError; after the last one that error is thrown.
template <typename Attempt>
auto retried(const Patience& patience, const Attempt& attempt) {
  auto wait = patience.first_wait;
  for (uint32_t tries = 1; tries < patience.attempts; ++tries) {
    try {
      return attempt();
    } catch (const TransientError&) {
      wait_for(wait);
      wait *= 2;
    }
  }
  return attempt();
}

}  // namespace neardup
