// CodePointCursor: the code points before places of a text.
//
// Each step costs the bytes between a place and the one asked before, in both directions, so places in nearly ascending order cost one
// pass over the text. Not for concurrent use.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup {

class CodePointCursor {
 public:
  /// `text` must be well-formed UTF-8 and outlive the cursor.
  explicit CodePointCursor(std::string_view text) noexcept : text_(text) {}

  /// The number of code points that begin before `byte`, which is at most the size of the text.
  size_t count_before(size_t byte) noexcept;

 private:
  std::string_view text_;
  size_t at_ = 0;
  size_t count_ = 0;
};

}  // namespace neardup
