// The slow twins of anchors.h: its definitions, window by window, gram by gram. The judges of the fast ones in tests; they share nothing
// with them but the decoder, the wide characters and the hash function.
#pragma once

#include <string_view>
#include <vector>

#include "index/anchors/anchors.h"

namespace neardup {

std::vector<Anchor> reference_text_anchors(std::string_view form, const AnchorShape& shape);
std::vector<ClueAnchor> reference_certain_anchors(std::string_view form, const AnchorShape& shape);
std::vector<ClueAnchor> reference_clue_grams(std::string_view form, const AnchorShape& shape);

}  // namespace neardup
