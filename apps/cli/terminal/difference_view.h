// DifferenceView: what two texts share and where they differ, for people and as JSON. For every command that shows two texts.
#pragma once

#include <string>
#include <string_view>

#include "neardup/tools/align.h"
#include "neardup/tools/aligned_excerpt.h"

namespace neardup::cli {

/// Aligns two texts, which must outlive the view. Members may be read by several threads.
class DifferenceView {
 public:
  DifferenceView(std::string_view a, std::string_view b);

  [[nodiscard]] const Alignment& alignment() const noexcept { return alignment_; }

  /// "2 changes: digits 1, words 1", or "none".
  [[nodiscard]] std::string summary() const;

  /// The text of a with the changes towards b, ending with a line break: what only a has is red, what only b has is green; without colors
  /// they are [-of a-] and {+of b+}. Long equal passages are given by their length. Harmless for a terminal.
  [[nodiscard]] std::string to_text(bool colored, const ExcerptLimits& limits = kShown) const;

  /// Members of an object, without braces: "parts" (every part, with places in bytes and in characters of both originals; the texts and the
  /// kind of those that differ), "changes" (counts by kind) and "coarse".
  [[nodiscard]] std::string to_json() const;

  static constexpr ExcerptLimits kShown{.context = 60, .passage = 600, .characters = 4000};

 private:
  std::string_view a_;
  std::string_view b_;
  Alignment alignment_;
};

}  // namespace neardup::cli
