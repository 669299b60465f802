// TokenBuffer: the tokens of a text, in one piece of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/raw_vector.h"

namespace neardup {

/// A tokenized text: the tokens joined by the tokenizer's separator, and where each begins.
struct TokenBuffer {
  RawVector<char> joined;
  RawVector<uint32_t> starts;    ///< of every token, and where one more would begin; empty before the first use
  uint32_t separator_bytes = 0;  ///< 1: tokens are joined by one blank; 0: they touch

  [[nodiscard]] size_t size() const noexcept { return starts.empty() ? 0 : starts.size() - 1; }
  /// `count` tokens from the one of this index on, count >= 1, with the separators between them.
  [[nodiscard]] std::string_view run(size_t first, size_t count) const noexcept {
    return view_of(joined).substr(starts[first], starts[first + count] - separator_bytes - starts[first]);
  }
  [[nodiscard]] std::string_view token(size_t index) const noexcept { return run(index, 1); }

  /// To fill it token by token.
  void clear(uint32_t separator) {
    joined.clear();
    starts.assign(1, 0);
    separator_bytes = separator;
  }
  void append(std::string_view token) {
    if (size() > 0) joined.insert(joined.end(), separator_bytes, ' ');
    joined.insert(joined.end(), token.begin(), token.end());
    starts.push_back(static_cast<uint32_t>(joined.size()) + separator_bytes);
  }
};

}  // namespace neardup
