// ProgressBox: hands the progress of a job, which its threads report, to a Python function.
#pragma once

#include <nanobind/nanobind.h>

#include <mutex>
#include <string>

#include "neardup/tools/run_hooks.h"

namespace neardup::python {

class ProgressBox {
 public:
  /// `function`: None, or called with (pass, number of the pass, passes, bytes done, bytes in all, documents, steps done, steps in all,
  /// duplicates, rejected); 0: unknown.
  explicit ProgressBox(nanobind::handle function) : function_(function) {}

  /// RunHooks::progress.
  void set(const Progress& progress);
  /// Calls the function with what is new, with the lock of the interpreter. Throws what it raises.
  void tick();

 private:
  const nanobind::handle function_;
  std::mutex mutex_;
  bool is_new_ = false;
  std::string pass_;
  Progress latest_;
};

}  // namespace neardup::python
