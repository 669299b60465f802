// run_job(): a long call into the library, without the lock of the interpreter and with Ctrl-C.
#pragma once

#include <cstdint>
#include <functional>

#include "neardup/stop.h"

namespace neardup::python {

/// Runs `job` in a thread of its own, while this one, which holds the lock of the interpreter, gives it up and looks for signals every 50
/// milliseconds. A signal handler that raises, as that of Ctrl-C does, ends the job through the stop function that it is given, and its
/// exception is thrown after the job has returned. `tick`, if not empty, is called between, with the lock. Throws what the job throws. The
/// end of the interpreter ends the job, too: see Unlocked.
void run_job(const std::function<void(const StopFunction& stop)>& job, const std::function<void()>& tick = {});

/// The same for work on `text_bytes` of text. Of so few that the work takes about a millisecond, it is done in this thread, without the
/// lock, and `stop` is empty.
void run_text_job(uint64_t text_bytes, const std::function<void(const StopFunction& stop)>& job);

}  // namespace neardup::python
