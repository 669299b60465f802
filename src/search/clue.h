// Clue: a clue and its options, with all that is needed to decide whether a text matches: TextMatcher's input. ClueMaker: what a recipe
// means.
//
// Immutable, shared by threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/anchors/anchor_shape.h"
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

class Clue {
 public:
  /// All arguments must outlive it. Throws Error{kUsage} for a clue or options that cannot be asked.
  Clue(const ClueMaker& maker, std::string_view clue, const ClueSearch& options);

  [[nodiscard]] const ClueMaker& maker() const noexcept { return *maker_; }
  [[nodiscard]] const ClueSearch& options() const noexcept { return *options_; }
  [[nodiscard]] bool resembles() const noexcept { return options_->mode == ClueSearch::Mode::kResembles; }

  [[nodiscard]] std::string_view clue() const noexcept { return clue_; }
  [[nodiscard]] const std::string& form() const noexcept { return form_; }
  [[nodiscard]] const std::vector<char32_t>& points() const noexcept { return points_; }
  /// Of kContains: hits may have so many edits.
  [[nodiscard]] uint32_t max_edits() const noexcept { return max_edits_; }
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
  uint32_t max_edits_ = 0;
  std::unique_ptr<const Aligner> aligner_;
  std::vector<uint64_t> features_;
};

}  // namespace neardup
