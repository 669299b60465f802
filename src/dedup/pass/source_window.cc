#include "dedup/pass/source_window.h"

#include "neardup/error.h"

namespace neardup {

std::unique_ptr<Batch> SourceWindow::next() {
  if (next_ == part_.end || closed_.load(std::memory_order_relaxed)) return nullptr;
  ++next_;
  return source_.next();
}

void SourceWindow::rewind() {
  source_.rewind();
  closed_ = false;
  for (next_ = 0; next_ < part_.first; ++next_) {
    if (!source_.next()) throw Error(ErrorCode::kInput, "the input changed while it was read: a later reading found fewer records");
  }
}

}  // namespace neardup
