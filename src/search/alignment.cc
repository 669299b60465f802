#include "search/alignment.h"

#include <algorithm>

namespace neardup {
namespace {

constexpr size_t kRowsPerBlock = 64;

}  // namespace

Aligner::Rows::Rows(std::span<const char32_t> pattern, size_t blocks_, bool mirrored) : blocks(blocks_) {
  masks.assign(blocks, 0);  // of code points that the pattern does not have
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char32_t c = pattern[mirrored ? pattern.size() - 1 - i : i];
    uint32_t& offset = c < ascii.size() ? ascii[c] : others[c];
    if (offset == 0) {
      offset = static_cast<uint32_t>(masks.size());
      masks.resize(masks.size() + blocks, 0);
    }
    masks[offset + i / kRowsPerBlock] |= uint64_t{1} << i % kRowsPerBlock;
  }
}

const uint64_t* Aligner::Rows::of(char32_t c) const noexcept {
  if (c < ascii.size()) return masks.data() + ascii[c];
  const auto found = others.find(c);
  return masks.data() + (found == others.end() ? 0 : found->second);
}

Aligner::Aligner(std::span<const char32_t> pattern)
    : rows_(pattern.size()),
      blocks_((pattern.size() + kRowsPerBlock - 1) / kRowsPerBlock),
      forward_(pattern, blocks_, false),
      backward_(pattern, blocks_, true) {}

template <typename Visit>
void Aligner::run(const Rows& rows, std::span<const char32_t> text, bool mirrored, bool anchored, Scratch& scratch,
                  const Visit& visit) const {
  scratch.plus.assign(blocks_, ~uint64_t{0});
  scratch.minus.assign(blocks_, 0);
  const uint64_t last_row = uint64_t{1} << (rows_ - 1) % kRowsPerBlock;
  auto distance = static_cast<int64_t>(rows_);
  for (size_t column = 0; column < text.size(); ++column) {
    const uint64_t* const equal_rows = rows.of(text[mirrored ? text.size() - 1 - column : column]);
    // The horizontal difference that enters a block from above. In row 0 the distance is 0 everywhere, unless skipping text costs.
    int carry = anchored ? 1 : 0;
    for (size_t block = 0; block < blocks_; ++block) {
      uint64_t& plus = scratch.plus[block];
      uint64_t& minus = scratch.minus[block];
      uint64_t equal = equal_rows[block];
      const uint64_t vertical = equal | minus;
      if (carry < 0) equal |= 1;
      const uint64_t diagonal = (((equal & plus) + plus) ^ plus) | equal;
      uint64_t up = minus | ~(diagonal | plus);
      uint64_t down = plus & diagonal;
      const uint64_t row = block + 1 == blocks_ ? last_row : uint64_t{1} << (kRowsPerBlock - 1);
      const int out = (up & row) != 0 ? 1 : ((down & row) != 0 ? -1 : 0);
      up = up << 1 | (carry > 0 ? 1 : 0);
      down = down << 1 | (carry < 0 ? 1 : 0);
      plus = down | ~(vertical | up);
      minus = up & vertical;
      carry = out;
    }
    distance += carry;
    if (!visit(column + 1, static_cast<uint32_t>(distance))) return;
  }
}

std::optional<uint32_t> Aligner::distance(std::span<const char32_t> text, uint32_t max_edits, Scratch& scratch) const {
  uint32_t smallest = max_edits + 1;
  run(forward_, text, false, false, scratch, [&](size_t, uint32_t edits) {
    smallest = std::min(smallest, edits);
    return smallest > 0;
  });
  return smallest > max_edits ? std::nullopt : std::optional(smallest);
}

// The beginning is found by aligning the mirrored pattern with what is left of the end; then the end moves to the right as far as the
// distance allows, so that a difference in the last character is a substitution and not a deletion.
Occurrence Aligner::completed(std::span<const char32_t> text, uint32_t end, uint32_t edits, Scratch& scratch) const {
  Occurrence found{.begin = end, .end = end, .edits = edits};
  const size_t longest = rows_ + edits;
  const size_t from = end - std::min<size_t>(end, longest);
  run(backward_, text.subspan(from, end - from), true, true, scratch, [&](size_t length, uint32_t distance) {
    if (distance == edits) found.begin = end - static_cast<uint32_t>(length);
    return true;
  });
  if (edits == 0) return found;
  run(forward_, text.subspan(found.begin, std::min(text.size() - found.begin, longest)), false, true, scratch,
      [&](size_t length, uint32_t distance) {
        if (distance == edits) found.end = found.begin + static_cast<uint32_t>(length);
        return true;
      });
  return found;
}

std::optional<Occurrence> Aligner::best(std::span<const char32_t> text, uint32_t max_edits, Scratch& scratch) const {
  uint32_t smallest = max_edits + 1;
  size_t end = 0;
  run(forward_, text, false, false, scratch, [&](size_t columns, uint32_t edits) {
    if (edits < smallest) {
      smallest = edits;
      end = columns;
    }
    return smallest > 0;
  });
  if (smallest > max_edits) return std::nullopt;
  return completed(text, static_cast<uint32_t>(end), smallest, scratch);
}

void Aligner::all(std::span<const char32_t> text, uint32_t max_edits, Scratch& scratch, std::vector<Occurrence>& out) const {
  out.clear();
  size_t from = 0;
  while (from < text.size()) {
    const auto rest = text.subspan(from);
    uint32_t smallest = max_edits + 1;
    size_t first_end = 0;
    size_t end = 0;
    run(forward_, rest, false, false, scratch, [&](size_t columns, uint32_t edits) {
      if (edits < smallest) {
        if (first_end == 0) first_end = columns;
        smallest = edits;
        end = columns;
      }
      return smallest > 0 && (first_end == 0 || columns + 1 < first_end + rows_);
    });
    if (smallest > max_edits) return;
    Occurrence found = completed(rest, static_cast<uint32_t>(end), smallest, scratch);
    found.begin += static_cast<uint32_t>(from);
    found.end += static_cast<uint32_t>(from);
    out.push_back(found);
    from = found.end;
  }
}

}  // namespace neardup
