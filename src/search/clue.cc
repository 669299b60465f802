#include "search/clue.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "neardup/error.h"
#include "search/code_points.h"
#include "search/gram_features.h"

namespace neardup {
namespace {

// No text is longer. The form of a clue, which may be eleven times as long, has offsets of 32 bits.
constexpr size_t kMaxClueBytes = limits::kMaxTextBytes;

[[noreturn]] void refuse_question(const std::string& why) {
  throw Error(ErrorCode::kUsage, why);
}

}  // namespace

void Clue::check_options() const {
  if (options_->limit == 0) refuse_question("limit is 0; expected at least 1");
  if (options_->max_candidates == 0) refuse_question("max_candidates is 0; expected at least 1");
  if (!options_->edits) return;
  if (resembles()) refuse_question("edits are allowed of clues that a text contains, not of texts that resemble the clue");
  if (options_->edits->millionths() > ClueSearch::kMaxEditsMillionths) {
    refuse_question(fmt::format("edits is {}; expected at most {}", options_->edits->value(), ClueSearch::kMaxEditsMillionths / 1e6));
  }
}

Clue::Clue(const ClueMaker& maker, std::string_view clue, const ClueSearch& options) : maker_(&maker), options_(&options), clue_(clue) {
  check_options();
  if (clue.empty()) refuse_question("the clue is empty");
  if (clue.size() > kMaxClueBytes) {
    refuse_question(fmt::format("the clue has {} bytes; expected at most {}", clue.size(), kMaxClueBytes));
  }
  ClueForm::Scratch form_scratch;
  maker.form.form(clue, form_, form_scratch);
  if (form_.empty()) refuse_question("the clue has no letter and no digit: nothing is left of it without punctuation and white space");
  to_code_points(form_, points_);
  if (resembles()) {
    gram_features(form_, maker.shape, features_);
  } else if (options.edits) {
    max_edits_ = static_cast<uint32_t>(points_.size() * options.edits->millionths() / Threshold::kOne);
    if (max_edits_ > 0 && points_.size() > ClueSearch::kMaxEditedCharacters) {
      refuse_question(fmt::format("the clue has {} characters in its normal form; with edits expected at most {}", points_.size(),
                                  ClueSearch::kMaxEditedCharacters));
    }
    if (max_edits_ > 0) aligner_ = std::make_unique<const Aligner>(points_);
  }
}

}  // namespace neardup
