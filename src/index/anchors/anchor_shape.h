// AnchorShape: how dense the anchors of a text are, and which runs they therefore find for certain.
#pragma once

#include <cstdint>

namespace neardup {

/// Lengths are columns (text/clue/clue_form.h). Requires both to be at least 1.
struct AnchorShape {
  uint32_t gram = 6;
  uint32_t window = 18;

  /// The longest run that of_min_run() takes.
  static constexpr uint32_t kMaxMinRun = 256;

  /// Any run with so many columns, of narrow and wide characters, contains a whole window with all its grams: the last of these begins
  /// before column `window` of the run, and the columns after it are enough for a gram. So do so many narrow characters.
  [[nodiscard]] constexpr uint32_t min_run_latin() const noexcept { return window + gram - 1; }
  /// The same in wide characters.
  [[nodiscard]] constexpr uint32_t min_run_wide() const noexcept { return (window + 1) / 2 + (gram + 1) / 2 - 1; }

  /// The shape with grams of 6 columns whose min_run_latin() is `latin`. Requires 6 <= latin <= kMaxMinRun.
  static constexpr AnchorShape of_min_run(uint32_t latin) noexcept {
    AnchorShape shape;
    shape.window = latin - shape.gram + 1;
    return shape;
  }

  friend bool operator==(const AnchorShape&, const AnchorShape&) = default;
};

}  // namespace neardup
