// The slow twin of ClueForm: its definition, one step after the other over the whole text. The judge of the fast one in tests; shares
// nothing with it but the decoder, the word classes and the table of HanFold.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

std::string reference_clue_form(std::string_view text, bool fold_han);

}  // namespace neardup
