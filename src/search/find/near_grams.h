// near_grams(): grams that a text may have where the clue has one with a single edit.
//
// An edit destroys every gram of the clue around it. The text still has anchors there, each a gram of the clue with one edit undone, which
// can be guessed: one character of the clue's gram left out, one inserted or one substituted by a narrow character that the clue has
// elsewhere (wide characters are too many to guess). Only guesses in the first tenth of the order of anchors (of wide grams, the first
// sixth) are looked up, which is where most anchors are.
#pragma once

#include <vector>

#include "search/question.h"

namespace neardup {

/// With the hashes and the known neighbourhood of the guesses; `begin` is that of the clue's gram. Each (hash, context, known) once,
/// without the grams of the clue itself.
std::vector<ClueAnchor> near_grams(const Question& question);

}  // namespace neardup
