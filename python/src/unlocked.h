// Unlocked: a scope without the lock of the interpreter.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <thread>

namespace neardup::python {

/// A call that the end of the interpreter waits for, a few seconds at most. Created and destroyed with the lock.
class AwaitedCall {
 public:
  /// Raises SystemExit in a thread that calls after the interpreter has begun to end: it ends without a message.
  AwaitedCall();
  ~AwaitedCall();
  AwaitedCall(const AwaitedCall&) = delete;
  AwaitedCall& operator=(const AwaitedCall&) = delete;
};

/// Gives up the lock of the interpreter, and takes it back at the end of the scope. Use it instead of nanobind::gil_scoped_release: a
/// thread that asks for the lock when the interpreter has ended does not get it, but is unwound in the middle of C++ code, which aborts the
/// process. So these scopes are awaited, and a thread that is in one even later stays there.
class Unlocked {
 public:
  /// Throws as AwaitedCall does.
  Unlocked();
  /// A part of a call.
  explicit Unlocked(const AwaitedCall&) noexcept : thread_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  std::optional<AwaitedCall> call_;
  PyThreadState* const thread_;
};

/// True from the moment when the interpreter begins to end, but for the thread that ends it. Needs no lock.
bool must_end(std::thread::id thread) noexcept;
/// SystemExit.
[[noreturn]] void raise_end();

/// Lets the end of the interpreter wait. Call it once, when the module is loaded.
void wait_for_unlocked_at_exit();

}  // namespace neardup::python
