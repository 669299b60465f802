// Any bytes through the clue form and the anchors: the fast ones give what their slow twins give, and places lie in the text, ascending.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz_support.h"
#include "index/anchors/anchors.h"
#include "index/anchors/anchors_reference.h"
#include "text/clue/clue_form.h"
#include "text/clue/clue_form_reference.h"
#include "text/utf8/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using neardup::fuzz::require;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool fold_han : {false, true}) {
    const neardup::ClueForm form(fold_han);
    neardup::ClueForm::Scratch scratch;
    std::string fast;
    std::string placed;
    std::vector<neardup::ClueForm::Place> places;
    form.form(text, fast, scratch);
    form.form_with_places(text, placed, places, scratch);
    require(fast == placed);
    require(fast == neardup::reference_clue_form(text, fold_han));
    require(neardup::is_valid_utf8(fast));
    for (size_t i = 0; i < places.size(); ++i) {
      require(places[i].begin < places[i].end && places[i].end <= size);
      require(i == 0 || (places[i - 1].begin <= places[i].begin && places[i - 1].end <= places[i].end));
    }
    for (const neardup::AnchorShape& shape : {neardup::AnchorShape{}, neardup::AnchorShape{8, 3}}) {
      neardup::AnchorScratch anchor_scratch;
      std::vector<neardup::Anchor> anchors;
      std::vector<neardup::ClueAnchor> clue_anchors;
      neardup::text_anchors(fast, shape, anchor_scratch, anchors);
      require(anchors == neardup::reference_text_anchors(fast, shape));
      neardup::certain_anchors(fast, shape, anchor_scratch, clue_anchors);
      require(clue_anchors == neardup::reference_certain_anchors(fast, shape));
      neardup::clue_grams(fast, shape, anchor_scratch, clue_anchors);
      require(clue_anchors == neardup::reference_clue_grams(fast, shape));
    }
  }
  return 0;
}
