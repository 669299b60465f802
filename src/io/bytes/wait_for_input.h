// wait_for_input: a read that may wait for another program, which a request to stop ends.
#pragma once

#include <poll.h>

#include <cerrno>

#include "neardup/stop.h"

namespace neardup {

/// Returns when a read of the descriptor gives something: bytes, the end, or an error. Throws Error{kStopped}, within a tenth of a second.
inline void wait_for_input(int descriptor) {
  constexpr int kAskEveryMs = 100;
  if (current_stop() == nullptr) return;
  pollfd input{.fd = descriptor, .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    check_stop();
    ready = poll(&input, 1, kAskEveryMs);
  } while (ready == 0 || (ready < 0 && errno == EINTR));
}

}  // namespace neardup
