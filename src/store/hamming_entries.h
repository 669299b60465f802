// for_each_entry: all codes of an index with their ids, in the order of its first table. Sequential reading.
#pragma once

#include <vector>

#include "index/hamming/hamming_state.h"
#include "index/hamming/hamming_walk.h"
#include "neardup/hamming_index.h"

namespace neardup {

/// Calls visit(code, id); equal codes come together, their ids ascending. Throws Error{kInput} when the file is damaged.
template <typename Code, typename Visit>
void for_each_entry(const HammingIndex<Code>& index, const Visit& visit) {
  constexpr size_t kCodesAtOnce = 1 << 12;
  const HammingImage<Code>& image = index.state().image;
  WordWalk<Code> walk(image);
  std::vector<CodeWord<Code>> words;
  for (uint64_t position = 0; walk.next(kCodesAtOnce, words);) {
    for (const CodeWord<Code> word : words) {
      const Code code = code_of(image.order().restore(word));
      const CountRange places = image.ids_of(position++);
      for (uint64_t place = places.begin; place < places.end; ++place) visit(code, image.id(place));
    }
  }
}

}  // namespace neardup
