// Unlocked: a scope without the lock of the interpreter.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

/// Gives up the lock of the interpreter, and takes it back at the end of the scope. Use it instead of nanobind::gil_scoped_release: a
/// thread that asks for the lock after the interpreter has ended never gets it, and ends in the middle of the C++ code, which ends the
/// process with an error. So the end of the interpreter waits for these scopes, and those that begin later keep the lock.
class Unlocked {
 public:
  Unlocked() noexcept;
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* const thread_;  // null: the lock is kept
};

/// True from the moment when the interpreter begins to end. Needs no lock.
bool interpreter_ends() noexcept;

/// Lets the end of the interpreter wait. Call it once, when the module is loaded.
void wait_for_unlocked_at_exit();

}  // namespace neardup::python
