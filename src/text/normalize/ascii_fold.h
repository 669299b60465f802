// The ASCII of a normalizer: letters in lower case, white space collapsed, by 64-byte blocks.
#pragma once

#include <cstddef>
#include <string_view>

#include "kernels/kernels.h"
#include "text/utf8/growing_text.h"

namespace neardup {

/// Bytes that fold_ascii may write beyond what it appends.
inline constexpr size_t kFoldSlack = 2 * kernels::kTextBlock;

/// Appends the ASCII text that begins at `at` and returns where it ends. White space after white space, and at the beginning, is
/// dropped. Requires room for the rest of the text and kFoldSlack, and an ASCII character at `at`.
size_t fold_ascii(const kernels::Kernels& kernels, std::string_view text, size_t at, GrowingText& out);

/// The same for a run that is expected to be short; stops before white space, with which it must not begin.
size_t fold_short_ascii(std::string_view text, size_t at, GrowingText& out);

}  // namespace neardup
