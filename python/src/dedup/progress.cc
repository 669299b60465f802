#include "dedup/progress.h"

#include <nanobind/stl/string.h>

#include <utility>

namespace neardup::python {

void ProgressBox::set(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  pass_ = progress.pass;
  latest_ = progress;
  is_new_ = true;
}

void ProgressBox::tick() {
  if (function_.is_none()) return;
  std::string pass;
  Progress now;
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(is_new_, false)) return;
    pass = pass_;
    now = latest_;
  }
  function_(pass, now.pass_number, now.pass_count, now.bytes_done, now.bytes_total, now.documents, now.steps_done, now.steps_total,
            now.duplicates, now.rejected);
}

}  // namespace neardup::python
