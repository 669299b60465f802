// Any two texts, split at the first byte 0xFE: alignments cover both, equal parts are equal, and excerpts and kinds fit.
#include <cstdint>
#include <string_view>

#include "fuzz_support.h"
#include "text/align/alignment_laws.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using neardup::fuzz::require;
  const std::string_view both(reinterpret_cast<const char*>(data), size);
  const size_t cut = both.find('\xFE');
  const std::string_view a = both.substr(0, cut);
  const std::string_view b = cut == std::string_view::npos ? std::string_view() : both.substr(cut + 1);
  for (const bool join : {false, true}) {
    const neardup::Alignment alignment = neardup::align_texts(a, b, {.join_changes = join});
    require(neardup::testing::problem_of(a, b, alignment).empty());
    require(neardup::testing::problem_of_excerpt(a, b, alignment, {.context = 5, .passage = 20, .characters = 100}).empty());
    require(neardup::kinds_of_parts(a, b, alignment).size() == alignment.parts.size());
    neardup::classify_changes(a, b, alignment);
  }
  return 0;
}
