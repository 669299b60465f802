#include "search/question.h"

#include "search/clue_length.h"

namespace neardup {

Question::Question(const ClueMaker& maker, std::string_view clue, const ClueSearch& options) : Clue(maker, clue, options) {
  columns_ = column_count(points());
  AnchorScratch anchor_scratch;
  certain_anchors(form(), maker.shape, anchor_scratch, certain_);
  guaranteed_edits_ = guaranteed_edit_count(points(), maker.shape);
  if (!exact() || resembles()) clue_grams(form(), maker.shape, anchor_scratch, grams_);
}

bool Question::exact() const noexcept {
  // Texts shorter than a gram are compared as a whole.
  if (resembles()) return columns_ < maker().shape.gram;
  return guaranteed() && max_edits() <= guaranteed_edits_;
}

}  // namespace neardup
