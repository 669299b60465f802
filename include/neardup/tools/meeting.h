// find_meeting(): where the sketches of two texts agree, so that a search proposes them as a pair: bands of a signature, or blocks of a
// fingerprint.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/sketcher.h"

namespace neardup {

/// Numbers count from 0.
struct Meeting {
  // Of a MinHash:
  uint32_t bands = 0;          ///< of the search; 0: it has none
  uint32_t rows_per_band = 0;  ///< band i has the lanes [i * rows_per_band, (i + 1) * rows_per_band)
  std::vector<uint32_t> equal_bands;
  // Of a fingerprint:
  uint32_t bits = 0;  ///< 0: none
  std::vector<uint32_t> differing_bits;
  /// Of `blocks` blocks of nearly equal width, one more than the distance that the run allows: at least one of them agrees in any pair
  /// within that distance (pigeonhole principle). Block i ends before bit block_ends[i].
  std::vector<uint32_t> block_ends;
  std::vector<uint32_t> equal_blocks;
  bool too_short = false;  ///< one of the texts: it has no sketch, and the other members say nothing
};

/// Of a MinHash recipe by bands, of which there may be 0; of another one by blocks for `max_distance`.
Meeting find_meeting(const Sketcher& sketcher, std::string_view a, std::string_view b, uint32_t bands, uint32_t rows_per_band,
                     uint32_t max_distance);

}  // namespace neardup
