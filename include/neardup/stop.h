// Stopping: how a request to stop reaches the loops of a run, and the one place where it becomes an Error.
//
// A job opens a StopScope. From then on check_stop() asks its function, in this thread and in the workers of every parallel_for() and
// OrderedLine that it starts; these ask before each block of work, so a loop has to ask itself only where it runs for longer than about a
// tenth of a second without them.
#pragma once

#include <functional>

#include "neardup/error.h"

namespace neardup {

using StopFunction = std::function<bool()>;

/// The stop function of this thread from here to the end of the scope; the one before is back then.
class StopScope {
 public:
  /// `stop` must outlive the scope. Null or empty: nothing stops.
  explicit StopScope(const StopFunction* stop) noexcept;
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const StopFunction* const before_;
};

/// The stop function of this thread, for one that works for it. May be null.
const StopFunction* current_stop() noexcept;

/// Throws Error{kStopped} when the stop function of this thread returns true.
void check_stop();
/// The same for a function that is at hand.
void check_stop(const StopFunction& stop);

}  // namespace neardup
