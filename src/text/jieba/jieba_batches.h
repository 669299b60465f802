// for_each_batch(): a text batch by batch of a Lattice, with the long blocks in between.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/jieba/jieba_dictionary.h"
#include "text/jieba/jieba_lattice.h"

namespace neardup::jieba {

/// Calls on_batch() after each read of the lattice, and on_long(at, valid) for a block, or with `whole_gaps` a gap, that is too long for
/// it; on_long returns where that ends, and sets `valid` to false at malformed UTF-8. Returns false if malformed UTF-8 was met: then what
/// the calls made is worth nothing.
template <typename OnBatch, typename OnLong>
bool for_each_batch(const JiebaDictionary& dictionary, std::string_view text, Lattice& lattice, bool whole_gaps, OnBatch on_batch,
                    OnLong on_long) {
  for (size_t at = 0; at < text.size();) {
    bool valid = true;
    const size_t next = lattice.read(dictionary, text, at, whole_gaps, valid);
    const bool too_long = next == at && valid;
    at = too_long ? on_long(at, valid) : next;
    if (!valid) return false;
    if (!too_long) on_batch();
  }
  return true;
}

}  // namespace neardup::jieba
