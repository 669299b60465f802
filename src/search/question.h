// Question: a clue with the anchors for which an index is asked.
//
// Immutable, shared by threads.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "index/anchors/anchors.h"
#include "neardup/clue_index.h"
#include "search/clue.h"

namespace neardup {

class Question : public Clue {
 public:
  /// Throws Error{kUsage} for a clue or options that cannot be asked.
  Question(const ClueMaker& maker, std::string_view clue, const ClueSearch& options);

  [[nodiscard]] uint32_t columns() const noexcept { return columns_; }
  /// The clue has a whole window.
  [[nodiscard]] bool guaranteed() const noexcept { return !certain_.empty(); }
  [[nodiscard]] uint32_t guaranteed_edits() const noexcept { return guaranteed_edits_; }
  /// No text that matches lacks every anchor that is asked.
  [[nodiscard]] bool exact() const noexcept;

  [[nodiscard]] const std::vector<ClueAnchor>& certain() const noexcept { return certain_; }
  [[nodiscard]] const std::vector<ClueAnchor>& grams() const noexcept { return grams_; }

 private:
  uint32_t columns_ = 0;
  uint32_t guaranteed_edits_ = 0;
  std::vector<ClueAnchor> certain_;
  std::vector<ClueAnchor> grams_;
};

}  // namespace neardup
