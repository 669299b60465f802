#include "text/jieba/jieba_long_block.h"

#include <algorithm>
#include <array>
#include <limits>

#include "text/jieba/dictionary/jieba_format.h"
#include "text/jieba/dictionary/jieba_sources.h"
#include "text/utf8/utf8.h"

namespace neardup::jieba {
namespace {

constexpr size_t kRing = 256;
static_assert(kRing > kMaxWordCharacters && kMaxWordCharacters <= std::numeric_limits<uint8_t>::max());

// Where the block at text[at] ends, and how many characters it has.
size_t find_end(const uint16_t* code_of, std::string_view text, size_t at, size_t& characters, bool& valid) {
  valid = true;
  characters = 0;
  while (at < text.size()) {
    const Decoded decoded = decode_quickly(text, at);
    if (!decoded.valid) {
      valid = false;
      break;
    }
    if (decoded.code_point >= 0x10000 || code_of[decoded.code_point] == 0) break;
    at += decoded.length;
    ++characters;
  }
  return at;
}

}  // namespace

size_t LongBlock::read(std::string_view text, size_t at, bool& valid) {
  text_ = text;
  size_t count = 0;
  const size_t end = find_end(code_of_, text, at, count, valid);
  if (!valid) return end;
  codes_.resize(count + kPad);
  han_.assign(bit_words(), 0);
  offsets_.assign(bit_words(), static_cast<uint32_t>(end));
  for (size_t k = 0; k < count; ++k) {
    if (k % 64 == 0) offsets_[k / 64] = static_cast<uint32_t>(at);
    const Decoded decoded = decode_quickly(text, at);
    codes_[k] = code_of_[decoded.code_point];
    han_[k / 64] |= uint64_t{decoded.length == 3} << (k % 64);
    at += decoded.length;
  }
  std::fill_n(codes_.begin() + static_cast<std::ptrdiff_t>(count), kPad, uint16_t{0});
  return end;
}

// Visits the words of two characters and more at k: length and weight.
template <typename Visit>
void LongBlock::visit_words(size_t k, Visit visit) const {
  const kernels::JiebaTrie& trie = dictionary_.trie();
  uint32_t node = pair_node(k);
  // No code is 0, so the walk ends at the end of the block.
  for (uint32_t length = 2; node != 0 && length <= kMaxWordCharacters; ++length) {
    const Slot slot = trie.slots[node];
    if (value_of(slot) >= kFirstWord) visit(length, trie.weights[value_of(slot)]);
    if (base_of(slot) == kNoChildren) break;
    const uint16_t code = codes_[k + length];
    node = base_of(slot) + code;
    if (trie.labels[node] != code) break;
  }
}

void LongBlock::longer_words(size_t k, std::vector<uint32_t>& out) const {
  out.clear();
  visit_words(k, [&](uint32_t length, double) { out.push_back(length); });
}

void LongBlock::find_route() {
  const kernels::JiebaTrie& trie = dictionary_.trie();
  std::array<double, kRing> scores{};  // of position k at k % kRing; after the end they are 0
  RawVector<uint8_t> lengths(size());
  for (size_t k = size(); k-- > 0;) {
    const double alone = trie.first_weights[codes_[k]];
    double best = kNoWord;
    uint32_t length = 0;
    // Of equal scores the longer word wins, as in Python's max((score, end)).
    const auto offer = [&](uint32_t characters, double weight) {
      const double score = weight + scores[(k + characters) % kRing];
      if (score < best) return;
      best = score;
      length = characters;
    };
    if (alone != kNoWord) offer(1, alone);
    visit_words(k, offer);
    if (length == 0) offer(1, trie.unknown);
    scores[k % kRing] = best;
    lengths[k] = static_cast<uint8_t>(length);
  }
  starts_.assign(bit_words(), 0);
  single_.assign(bit_words(), 0);
  for (size_t k = 0; k < size(); k += lengths[k]) {
    starts_[k / 64] |= uint64_t{1} << (k % 64);
    single_[k / 64] |= uint64_t{lengths[k] == 1} << (k % 64);
  }
}

}  // namespace neardup::jieba
