// Question: a clue with everything that is computed from it before an index is asked; TextMatcher's input.
//
// Immutable, shared by threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/anchors/anchors.h"
#include "neardup/clue_index.h"
#include "search/alignment.h"
#include "text/clue/clue_form.h"

namespace neardup {

/// What a recipe means: how forms and anchors are made.
struct ClueMaker {
  explicit ClueMaker(const ClueRecipe& recipe)
      : form(recipe.fold_han), shape(AnchorShape::of_min_run(recipe.min_run)), min_run(recipe.min_run) {}
  ClueForm form;
  AnchorShape shape;
  uint32_t min_run;
};

class Question {
 public:
  /// Throws Error{kUsage} for a clue or options that cannot be asked.
  Question(const ClueMaker& maker, std::string_view clue, const ClueSearch& options);

  [[nodiscard]] const ClueMaker& maker() const noexcept { return *maker_; }
  [[nodiscard]] const ClueSearch& options() const noexcept { return *options_; }
  [[nodiscard]] bool resembles() const noexcept { return options_->mode == ClueSearch::Mode::kResembles; }

  [[nodiscard]] std::string_view clue() const noexcept { return clue_; }
  [[nodiscard]] const std::string& form() const noexcept { return form_; }
  [[nodiscard]] const std::vector<char32_t>& points() const noexcept { return points_; }
  [[nodiscard]] uint32_t columns() const noexcept { return columns_; }
  /// Of kContains: hits may have so many edits.
  [[nodiscard]] uint32_t max_edits() const noexcept { return max_edits_; }
  /// The clue has a whole window.
  [[nodiscard]] bool guaranteed() const noexcept { return !certain_.empty(); }
  [[nodiscard]] uint32_t guaranteed_edits() const noexcept { return guaranteed_edits_; }
  /// No text that matches lacks every anchor that is asked.
  [[nodiscard]] bool exact() const noexcept;

  [[nodiscard]] const std::vector<ClueAnchor>& certain() const noexcept { return certain_; }
  [[nodiscard]] const std::vector<ClueAnchor>& grams() const noexcept { return grams_; }
  /// Of kContains with edits.
  [[nodiscard]] const Aligner& aligner() const noexcept { return *aligner_; }
  /// Of kResembles: gram_features() of the form.
  [[nodiscard]] const std::vector<uint64_t>& features() const noexcept { return features_; }

 private:
  void check_options() const;

  const ClueMaker* maker_;
  const ClueSearch* options_;
  std::string_view clue_;
  std::string form_;
  std::vector<char32_t> points_;
  uint32_t columns_ = 0;
  uint32_t max_edits_ = 0;
  uint32_t guaranteed_edits_ = 0;
  std::vector<ClueAnchor> certain_;
  std::vector<ClueAnchor> grams_;
  std::optional<Aligner> aligner_;
  std::vector<uint64_t> features_;
};

}  // namespace neardup
