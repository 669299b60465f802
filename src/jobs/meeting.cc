#include "neardup/tools/meeting.h"

#include <algorithm>
#include <span>

namespace neardup {
namespace {

bool bit_at(std::span<const uint32_t> words, uint32_t bit) {
  constexpr uint32_t kWordBits = 32;
  return ((words[bit / kWordBits] >> (bit % kWordBits)) & 1) != 0;
}

void find_bands(std::span<const uint32_t> a, std::span<const uint32_t> b, Meeting& meeting) {
  for (uint32_t band = 0; band < meeting.bands; ++band) {
    const size_t begin = size_t{band} * meeting.rows_per_band;
    if (std::ranges::equal(a.subspan(begin, meeting.rows_per_band), b.subspan(begin, meeting.rows_per_band))) {
      meeting.equal_bands.push_back(band);
    }
  }
}

void find_blocks(std::span<const uint32_t> a, std::span<const uint32_t> b, uint32_t max_distance, Meeting& meeting) {
  for (uint32_t bit = 0; bit < meeting.bits; ++bit) {
    if (bit_at(a, bit) != bit_at(b, bit)) meeting.differing_bits.push_back(bit);
  }
  const uint32_t blocks = std::min(max_distance, meeting.bits - 1) + 1;
  for (uint32_t block = 0, begin = 0; block < blocks; ++block) {
    const auto end = static_cast<uint32_t>(uint64_t{meeting.bits} * (block + 1) / blocks);
    const auto differing = std::ranges::lower_bound(meeting.differing_bits, begin);
    if (differing == meeting.differing_bits.end() || *differing >= end) meeting.equal_blocks.push_back(block);
    meeting.block_ends.push_back(end);
    begin = end;
  }
}

}  // namespace

Meeting find_meeting(const Sketcher& sketcher, std::string_view a, std::string_view b, uint32_t bands, uint32_t rows_per_band,
                     uint32_t max_distance) {
  std::vector<uint32_t> sketch_a(sketcher.sketch_words());
  std::vector<uint32_t> sketch_b(sketcher.sketch_words());
  Sketcher::Scratch scratch;
  Meeting meeting;
  meeting.too_short = sketcher.sketch(a, scratch, sketch_a).too_short;
  meeting.too_short = sketcher.sketch(b, scratch, sketch_b).too_short || meeting.too_short;
  if (sketcher.recipe().fingerprints()) {
    meeting.bits = static_cast<uint32_t>(sketch_a.size() * 32);
    if (!meeting.too_short) find_blocks(sketch_a, sketch_b, max_distance, meeting);
  } else if (uint64_t{bands} * rows_per_band <= sketch_a.size()) {
    meeting.bands = bands;
    meeting.rows_per_band = rows_per_band;
    if (!meeting.too_short) find_bands(sketch_a, sketch_b, meeting);
  }
  return meeting;
}

}  // namespace neardup
