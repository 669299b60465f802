#include "text/ascii_fold.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "text/code_points.h"

namespace neardup {
namespace {

constexpr size_t kBlock = kernels::kTextBlock;

bool is_wide(char byte) {
  return static_cast<uint8_t>(byte) >= 0x80;
}

struct Compacted {
  size_t read;     // bytes of the block that are dealt with
  size_t written;  // bytes that they became
};

// Closes the gaps that white space after white space leaves in a folded block, up to the first byte that is not ASCII. Pieces are
// copied a whole block at a time: what is too much is overwritten by the next one, or lies beyond the end.
Compacted compact(const char* block, char* folded, size_t count, uint64_t special) {
  char source[2 * kBlock];
  std::memcpy(source, folded, kBlock);
  std::memset(source + kBlock, 0, kBlock);
  size_t written = 0;
  size_t from = 0;  // where the next piece begins
  const auto copy_piece = [&](size_t end) {
    std::memcpy(folded + written, source + from, kBlock);
    written += end - from;
  };
  while (special != 0) {
    const auto gap = static_cast<size_t>(std::countr_zero(special));
    copy_piece(gap);
    if (is_wide(block[gap])) return {gap, written};
    // The special bytes in a row are white space, and then perhaps bytes that are not ASCII.
    size_t end = std::min(count, gap + static_cast<size_t>(std::countr_one(special >> gap)));
    while (is_wide(block[end - 1])) --end;
    from = end;
    if (from >= count) return {count, written};
    special &= ~uint64_t{0} << from;
  }
  copy_piece(count);
  return {count, written};
}

}  // namespace

size_t fold_ascii(const kernels::Kernels& kernels, std::string_view text, size_t at, GrowingText& out) {
  while (at < text.size()) {
    const size_t count = std::min(text.size() - at, kBlock);
    const char* block = text.data() + at;
    char last[kBlock];
    if (count < kBlock) {
      std::memset(last, 'x', kBlock);
      std::memcpy(last, block, count);
      block = last;
    }
    uint64_t special;
    kernels.fold_ascii_block(block, out.tail(), out.ends_blank(), &special);
    if (special == 0) {
      out.advance(count);
      at += count;
      continue;
    }
    const Compacted compacted = compact(block, out.tail(), count, special);
    out.advance(compacted.written);
    at += compacted.read;
    if (compacted.read < count) break;
  }
  return at;
}

size_t fold_short_ascii(std::string_view text, size_t at, GrowingText& out) {
  char* to = out.tail();
  const size_t begin = at;
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<uint8_t>(text[at]);
    if (byte >= 0x80 || is_ascii_white_space(byte)) break;
    const bool upper = byte >= 'A' && byte <= 'Z';
    *to++ = static_cast<char>(upper ? byte + 32 : byte);
  }
  out.advance(at - begin);
  return at;
}

}  // namespace neardup
