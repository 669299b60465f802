// for_each_entry: all codes of an index with their ids, in the order of its first table. Sequential reading, a bucket at a time.
#pragma once

#include "index/hamming_state.h"
#include "neardup/hamming_index.h"

namespace neardup {

/// Calls visit(code, id); equal codes come together, their ids ascending. Throws Error{kInput} when the file is damaged.
template <typename Code, typename Visit>
void for_each_entry(const HammingIndex<Code>& index, const Visit& visit) {
  using Word = CodeWord<Code>;
  const HammingImage<Code>& image = index.state().image;
  const auto visit_code = [&](uint64_t position, Word word) {
    const Code code = code_of(image.order().restore(word));
    const CountRange places = image.ids_of(position);
    for (uint64_t place = places.begin; place < places.end; ++place) visit(code, image.id(place));
  };
  if (image.tables().empty()) {
    for (uint64_t position = 0; position < image.distinct(); ++position) {
      image.check(image.flat_low() + position, sizeof(uint64_t));
      if (image.flat_high() != nullptr) image.check(image.flat_high() + position, sizeof(uint64_t));
      visit_code(position, image.flat_word(position));
    }
    return;
  }
  const HammingTable<Code>& table = image.tables()[0];
  for (uint64_t prefix = 0; prefix < uint64_t{1} << table.block.width; ++prefix) {
    const CountRange codes = image.bucket(table, prefix);
    for (uint64_t position = codes.begin; position < codes.end; ++position) {
      image.check(table.entry(position), sizeof(Word));
      visit_code(position, join_parts(prefix, table.remainder(position), table.block));
    }
  }
}

}  // namespace neardup
