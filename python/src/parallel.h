// for_all(): a loop over many items on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "neardup/stop.h"

namespace neardup::python {

/// The threads that a call with `threads` uses: 0 is all cores.
uint32_t thread_count(uint32_t threads) noexcept;

/// Calls work(worker, item) for every item below `count`, with a number of the worker below thread_count(threads), in any order; one worker
/// does one item at a time. Throws the first exception of `work`, and Error{kStopped} when `stop` returns true. Call it without the lock of
/// the interpreter.
void for_all(size_t count, uint32_t threads, const StopFunction& stop, const std::function<void(uint32_t worker, size_t item)>& work);

}  // namespace neardup::python
