// SourceWindow: consecutive batches of a source, for a pass over a slice of a corpus.
//
// next() and rewind() as of any source; close() from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/source.h"

namespace neardup {

class SourceWindow final : public DocumentSource {
 public:
  static constexpr uint64_t kToTheEnd = ~uint64_t{0};

  struct Part {
    uint64_t first = 0;  ///< batches [first, end)
    uint64_t end = kToTheEnd;
    uint64_t input_bytes = 0;  ///< for progress
  };
  /// `source` must outlive it.
  SourceWindow(DocumentSource& source, const Part& part) : source_(source), part_(part) {}

  /// Batches that were not handed out are not returned until rewind().
  void close() noexcept { closed_.store(true, std::memory_order_relaxed); }

  std::unique_ptr<Batch> next() override;
  /// Skips the batches before the window without reading them. Throws Error{kInput} when there are fewer.
  void rewind() override;

  [[nodiscard]] uint32_t source_count() const noexcept override { return source_.source_count(); }
  [[nodiscard]] std::string_view source_name(uint32_t source) const override { return source_.source_name(source); }
  [[nodiscard]] bool waits() const noexcept override { return source_.waits(); }
  [[nodiscard]] std::string state_of(uint32_t source) const override { return source_.state_of(source); }
  [[nodiscard]] bool holds_html(uint32_t source) const noexcept override { return source_.holds_html(source); }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return part_.input_bytes; }

 private:
  DocumentSource& source_;
  const Part part_;
  uint64_t next_ = 0;
  std::atomic<bool> closed_{false};
};

}  // namespace neardup
