// ByteSink: the interface for bytes that are written once, in order.
#pragma once

#include <cstdint>
#include <string_view>

namespace neardup {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Throws Error{kOutput} or Error{kResource} when there is no more room.
  virtual void append(std::string_view bytes) = 0;
  /// Bytes appended so far.
  [[nodiscard]] virtual uint64_t size() const noexcept = 0;
};

}  // namespace neardup
