// Stopping: how a request to stop reaches the loops of a run, and the one place where it becomes an Error.
//
// For callers: every job has a member `stop`, a function that returns true to end the job; the job then throws Error{kStopped}. It is asked
// several times a second, from any thread of the job, from several at once, and again after it returned true: let it read an atomic flag
// and return at once. Empty: nothing stops the job. It must stay valid until the job has returned.
//
// For the implementation: the job opens a StopScope around that member. From then on check_stop() asks it, in this thread and in the
// workers of every parallel_for() and OrderedLine that it starts; these ask before each block of work, so a loop must ask itself only if it
// runs for longer than about a tenth of a second without them. Only TargetOptions::stop is passed explicitly: a target that writes to a
// server has its own threads, which no scope reaches.
#pragma once

#include <functional>

#include "neardup/error.h"

namespace neardup {

using StopFunction = std::function<bool()>;

/// Sets the stop function of this thread until the end of the scope, which restores the previous one.
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

/// The stop function of this thread, for its worker threads. May be null.
const StopFunction* current_stop() noexcept;

/// Throws Error{kStopped} when the stop function of this thread returns true.
void check_stop();
/// The same for a given function.
void check_stop(const StopFunction& stop);

}  // namespace neardup
