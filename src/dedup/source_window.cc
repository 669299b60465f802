#include "dedup/source_window.h"

#include <algorithm>

#include "neardup/error.h"

namespace neardup {

std::unique_ptr<Batch> SourceWindow::next() {
  if (next_ == end_ || closed_.load(std::memory_order_relaxed)) return nullptr;
  ++next_;
  return whole_.next();
}

void SourceWindow::rewind() {
  whole_.rewind();
  closed_ = false;
  bytes_before_ = 0;
  for (next_ = 0; next_ < first_; ++next_) {
    const auto batch = whole_.next();
    if (!batch) throw Error(ErrorCode::kInput, "the input changed while it was read: a later reading gave fewer records");
    bytes_before_ += batch->input_bytes();
  }
}

uint64_t SourceWindow::input_bytes() const noexcept {
  const uint64_t all = whole_.input_bytes();
  return all - std::min(all, bytes_before_);
}

}  // namespace neardup
