// HeadScanner: finds the end of a request's head while it arrives, and refuses bytes that servers and proxies read differently.
//
// Parsers of HTTP disagree about a line feed without a carriage return and about folded header lines, and Boost.Beast accepts the latter.
// So the bytes are looked at before any parser sees them.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::server {

class HeadScanner {
 public:
  enum class State { kMore, kWhole, kBareLineEnd, kFolded, kControl };

  /// Continues after the bytes that it was given before; `bytes` are all bytes of the request so far. One empty line before the request
  /// line is skipped, as RFC 9112 asks for.
  State scan(std::string_view bytes) noexcept;

  /// Once scan() has returned kWhole: the head without the skipped line, and with the empty line that ends it.
  [[nodiscard]] std::string_view head(std::string_view bytes) const noexcept { return bytes.substr(begin_, at_ - begin_); }
  /// Bytes that were looked at.
  [[nodiscard]] size_t size() const noexcept { return at_; }

 private:
  size_t begin_ = 0;  ///< of the head
  size_t line_ = 0;   ///< begin of the current line
  size_t at_ = 0;
};

}  // namespace neardup::server
