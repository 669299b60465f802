// mark_differences(): a passage for people, with what it has instead of the clue.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "text/clue/clue_form.h"

namespace neardup {

/// A part of a form, and the text that it was made of.
struct PlacedForm {
  std::span<const char32_t> points;
  std::span<const ClueForm::Place> places;  ///< as many
  std::string_view text;                    ///< the whole
};

/// The bytes of `passage` from its first to its last place; before what differs [-the clue's text-]{+ and after it +}. The differences are
/// those of an alignment with the fewest edits; neighbouring ones are marked together, and characters as a whole, even if only a part of
/// what the form makes of them differs. Takes memory and time for one byte for each pair of
/// code points.
std::string mark_differences(const PlacedForm& clue, const PlacedForm& passage);

}  // namespace neardup
