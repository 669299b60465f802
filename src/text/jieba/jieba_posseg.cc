#include "text/jieba/jieba_posseg.h"

#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_format.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using jieba::kTagEng;
using jieba::kTagM;
using jieba::kTagX;
using Kind = JiebaDictionary::Kind;

const JiebaDictionary& require_tags(const JiebaDictionary& dictionary) {
  if (!dictionary.has_tags()) throw Error(ErrorCode::kUsage, "the dictionary has no parts of speech: build it with --pos");
  return dictionary;
}

bool is_digit_or_dot(Kind kind) {
  return kind == Kind::kDigit || kind == Kind::kDot;
}

bool bit_at(const uint64_t* bits, size_t k) {
  return (bits[k / 64] >> (k % 64) & 1) != 0;
}

template <typename Block>
void add_word(const Block& block, size_t begin, size_t end, uint16_t tag, JiebaTagScratch& scratch) {
  scratch.words.push_back({block.offset(begin), block.offset(end), tag});
}

}  // namespace

JiebaTagger::JiebaTagger(const JiebaDictionary& dictionary, bool hmm)
    : dictionary_(require_tags(dictionary)),
      hmm_(hmm),
      viterbi_(dictionary.tables().tags),
      names_(jieba::split_tags(dictionary.tables().tags.names)),
      block_codes_(dictionary.block_codes(), dictionary.block_codes() + JiebaDictionary::kBlockCodes),
      character_tags_(dictionary.tables().alphabet.size(), kTagX) {
  block_codes_['%'] = block_codes_['-'] = 0;
  const jieba::Tables& tables = dictionary.tables();
  for (size_t code = 1; code < character_tags_.size(); ++code) {
    if (jieba::label_of(tables.slots[jieba::kRootBase + code]) == code) character_tags_[code] = tables.tags.word_tags[code];
  }
}

bool JiebaTagger::cut(std::string_view text, JiebaTagScratch& scratch) const {
  scratch.text = text;
  scratch.words.clear();
  jieba::Lattice& lattice = scratch.lattice;
  return jieba::for_each_batch(
      block_codes_.data(), text, lattice, false,
      [&] {
        lattice.find_words(dictionary_);
        lattice.find_route();
        tag_words(lattice, scratch);
      },
      [&](size_t at, bool& valid) {
        jieba::LongBlock block(dictionary_, block_codes_.data());
        const size_t end = block.read(text, at, valid);
        if (!valid) return end;
        block.find_route();
        tag_words(block, scratch);
        scratch.viterbi = {};  // its buffers grew too
        return end;
      });
}

// Goes along the route: longer words have the tag of the dictionary, runs of single characters follow tag_run().
template <typename Block>
void JiebaTagger::tag_words(const Block& block, JiebaTagScratch& scratch) const {
  const jieba::Tables& tables = dictionary_.tables();
  const uint16_t* codes = block.codes();
  const uint64_t* single = block.single();
  const uint64_t* starts = block.starts();
  const size_t size = block.size();
  for (size_t begin = 0; begin < size;) {
    size_t end = begin + 1;
    if (codes[begin] == 0) {
      add_word(block, begin, end, kTagX, scratch);
    } else if (bit_at(single, begin)) {
      while (end < size && bit_at(single, end)) ++end;
      tag_run(block, begin, end, scratch);
    } else {
      while (end < size && !bit_at(starts, end)) ++end;
      const uint32_t node = jieba::descend(tables.slots.data(), codes, block.pair_node(begin), begin, end);
      add_word(block, begin, end, tables.tags.word_tags[node], scratch);
    }
    begin = end;
  }
}

// Characters that are words of one character on the route.
template <typename Block>
void JiebaTagger::tag_run(const Block& block, size_t begin, size_t end, JiebaTagScratch& scratch) const {
  const uint16_t* codes = block.codes();
  const auto kind = [&](size_t k) { return dictionary_.kinds()[codes[k]]; };
  const auto add_characters = [&] {
    for (size_t k = begin; k < end; ++k) add_word(block, k, k + 1, character_tags_[codes[k]], scratch);
  };
  if (!hmm_) {
    for (size_t k = begin; k < end;) {
      size_t stop = k;
      while (stop < end && JiebaDictionary::is_alphanumeric(kind(stop))) ++stop;
      const bool joined = stop > k;
      if (!joined) ++stop;
      add_word(block, k, stop, joined ? uint16_t{kTagEng} : character_tags_[codes[k]], scratch);
      k = stop;
    }
    return;
  }
  if (end - begin == 1) return add_characters();
  // jieba's FREQ.get(run) > 0: the characters of a word that the route has not taken stay apart.
  const jieba::Slot* slots = dictionary_.tables().slots.data();
  const uint32_t node = jieba::descend(slots, codes, block.pair_node(begin), begin, end);
  if (node != 0 && jieba::value_of(slots[node]) >= jieba::kFirstWord) return add_characters();
  for (size_t k = begin; k < end;) {
    const bool han = kind(k) == Kind::kHan;
    size_t stop = k + 1;
    while (stop < end && (kind(stop) == Kind::kHan) == han) ++stop;
    if (han) {
      tag_han(block, k, stop, scratch);
    } else {
      tag_rest(block, k, stop, scratch);
    }
    k = stop;
  }
}

// A word ends at each E and S and has the tag of that state; the rest, if there is one, has the tag of its first state.
template <typename Block>
void JiebaTagger::tag_han(const Block& block, size_t begin, size_t end, JiebaTagScratch& scratch) const {
  constexpr uint32_t kE = 1, kS = 3;
  const std::span<const uint32_t> states = dictionary_.tables().tags.states;
  const std::span<const uint8_t> path = viterbi_.find({block.codes() + begin, end - begin}, scratch.viterbi);
  size_t word = begin;
  for (size_t k = begin; k < end; ++k) {
    const uint32_t state = states[path[k - begin]];
    const uint32_t letter = state >> 16;
    if (letter != kE && letter != kS) continue;
    // An S always is a word by itself.
    if (letter == kS && word < k) add_word(block, word, k, static_cast<uint16_t>(states[path[word - begin]]), scratch);
    add_word(block, letter == kS ? k : word, k + 1, static_cast<uint16_t>(state), scratch);
    word = k + 1;
  }
  if (word < end) add_word(block, word, end, static_cast<uint16_t>(states[path[word - begin]]), scratch);
}

// The matches of [.0-9]+|[a-zA-Z0-9]+, which are numbers or words, and the text between them.
template <typename Block>
void JiebaTagger::tag_rest(const Block& block, size_t begin, size_t end, JiebaTagScratch& scratch) const {
  const auto kind = [&](size_t k) { return dictionary_.kinds()[block.codes()[k]]; };
  for (size_t k = begin; k < end;) {
    size_t stop = k + 1;
    uint16_t tag = kTagX;
    if (is_digit_or_dot(kind(k))) {
      tag = kTagM;
      while (stop < end && is_digit_or_dot(kind(stop))) ++stop;
    } else if (kind(k) == Kind::kLetter) {
      tag = kTagEng;
      while (stop < end && JiebaDictionary::is_alphanumeric(kind(stop))) ++stop;
    } else {
      while (stop < end && kind(stop) == Kind::kOther) ++stop;
    }
    add_word(block, k, stop, tag, scratch);
    k = stop;
  }
}

std::span<const JiebaTaggedWord> JiebaTagger::tag(std::string_view text, JiebaTagScratch& scratch) const {
  if (!cut(text, scratch)) {
    repair_utf8(text, scratch.repaired);
    cut(scratch.repaired, scratch);
  }
  return scratch.words;
}

}  // namespace neardup
