#include "text/jieba/jieba_finalseg.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace neardup::jieba {
namespace {

using Kind = JiebaDictionary::Kind;

// The states in the order of the tables: of equal values, the one with the later letter wins, as in Python's max((value, letter)).
enum State : size_t { kB, kE, kM, kS };

void clear(uint64_t* bits, size_t at) {
  bits[at / 64] &= ~(uint64_t{1} << (at % 64));
}

void join(uint64_t* starts, size_t begin, size_t end) {
  for (size_t k = begin + 1; k < end; ++k) clear(starts, k);
}

// jieba's FREQ.get(run) > 0
template <typename Block>
bool is_word(const JiebaDictionary& dictionary, const Block& block, size_t begin, size_t end) {
  const uint32_t node = block.pair_node(begin);
  if (node == 0) return false;
  if (end - begin == 2) return block.pair_is_word(begin);
  const Slot* slots = dictionary.tables().slots.data();
  Slot slot = slots[node];
  for (size_t k = begin + 2; k < end; ++k) {
    const uint16_t code = block.codes()[k];
    slot = slots[base_of(slot) + code];
    if (label_of(slot) != code) return false;
  }
  return value_of(slot) >= kFirstWord;
}

// [a-zA-Z0-9]+(?:\.\d+)?%? and the text between such matches.
template <typename Block>
void join_rest(const JiebaDictionary& dictionary, Block& block, size_t begin, size_t end) {
  const auto kind = [&](size_t k) { return dictionary.kinds()[block.codes()[k]]; };
  for (size_t k = begin; k < end;) {
    size_t stop = k;
    while (stop < end && JiebaDictionary::is_alphanumeric(kind(stop))) ++stop;
    if (stop == k) {
      while (stop < end && !JiebaDictionary::is_alphanumeric(kind(stop))) ++stop;
    } else {
      if (stop + 1 < end && kind(stop) == Kind::kDot && kind(stop + 1) == Kind::kDigit) {
        ++stop;
        while (stop < end && kind(stop) == Kind::kDigit) ++stop;
      }
      if (stop < end && kind(stop) == Kind::kPercent) ++stop;
    }
    join(block.starts(), k, stop);
    k = stop;
  }
}

}  // namespace

template <typename Block>
void FinalSegmenter::join_runs(const JiebaDictionary& dictionary, Block& block) {
  const size_t words = block.bit_words();
  if (runs_.size() < words + 1) runs_.resize(words + 1);
  for (size_t i = 0; i < words; ++i) runs_[i] = block.single()[i] & block.starts()[i];
  runs_[words] = 0;
  uint64_t carry = 0;
  for (size_t i = 0; i < words; ++i) {
    const uint64_t bits = runs_[i];
    uint64_t begins = bits & ~(bits << 1 | carry) & (bits >> 1 | runs_[i + 1] << 63);
    carry = bits >> 63;
    for (; begins != 0; begins &= begins - 1) {
      const auto bit = static_cast<size_t>(std::countr_zero(begins));
      const size_t begin = i * 64 + bit;
      size_t word = i;
      uint64_t others = ~bits & ~uint64_t{0} << bit;
      while (others == 0) others = ~runs_[++word];
      join_run(dictionary, block, begin, word * 64 + static_cast<size_t>(std::countr_zero(others)));
    }
  }
}

// join_han() of two characters, by far the most frequent run: they are one word if E is the better last state.
template <typename Block>
void FinalSegmenter::join_two(const JiebaDictionary& dictionary, Block& block, size_t begin) {
  const double* start = dictionary.tables().hmm.data();
  const auto transition = [start](State from, State to) { return start[kStates + from * kStates + to]; };
  const double* one = dictionary.tables().emissions.data() + size_t{block.codes()[begin]} * kStates;
  const double* two = dictionary.tables().emissions.data() + size_t{block.codes()[begin + 1]} * kStates;
  const double e = std::max(((start[kB] + one[kB]) + transition(kB, kE)) + two[kE], ((start[kM] + one[kM]) + transition(kM, kE)) + two[kE]);
  const double s = std::max(((start[kE] + one[kE]) + transition(kE, kS)) + two[kS], ((start[kS] + one[kS]) + transition(kS, kS)) + two[kS]);
  const uint64_t joined = s >= e ? 0 : 1;
  block.starts()[(begin + 1) / 64] &= ~(joined << ((begin + 1) % 64));
}

template <typename Block>
void FinalSegmenter::join_run(const JiebaDictionary& dictionary, Block& block, size_t begin, size_t end) {
  if (is_word(dictionary, block, begin, end)) return;
  const auto is_han = [&](size_t k) { return dictionary.kinds()[block.codes()[k]] == Kind::kHan; };
  if (end - begin == 2 && is_han(begin) && is_han(begin + 1) && dictionary.force_split().empty()) {
    return join_two(dictionary, block, begin);
  }
  for (size_t k = begin; k < end;) {
    const bool han = is_han(k);
    size_t stop = k + 1;
    while (stop < end && is_han(stop) == han) ++stop;
    if (!han) {
      join_rest(dictionary, block, k, stop);
    } else if (stop - k > 1) {
      join_han(dictionary, block, k, stop);
    }
    k = stop;
  }
}

template <typename Block>
void FinalSegmenter::join_han(const JiebaDictionary& dictionary, Block& block, size_t begin, size_t end) {
  const double* start = dictionary.tables().hmm.data();
  const auto transition = [start](State from, State to) { return start[kStates + from * kStates + to]; };
  const double eb = transition(kE, kB), sb = transition(kS, kB), be = transition(kB, kE), me = transition(kM, kE);
  const double bm = transition(kB, kM), mm = transition(kM, kM), es = transition(kE, kS), ss = transition(kS, kS);
  const double* emissions = dictionary.tables().emissions.data();
  const size_t count = end - begin;
  if (came_from_.size() < count) came_from_.resize(count);
  const auto emission = [&](size_t i) { return emissions + size_t{block.codes()[begin + i]} * kStates; };
  const double* now = emission(0);
  std::array<double, kStates> v{start[kB] + now[kB], start[kE] + now[kE], start[kM] + now[kM], start[kS] + now[kS]};
  for (size_t i = 1; i < count; ++i) {
    now = emission(i);
    // (value + transition) + emission, in this order; the second of each two has the later letter and wins ties.
    const double b_e = (v[kE] + eb) + now[kB], b_s = (v[kS] + sb) + now[kB];
    const double e_b = (v[kB] + be) + now[kE], e_m = (v[kM] + me) + now[kE];
    const double m_b = (v[kB] + bm) + now[kM], m_m = (v[kM] + mm) + now[kM];
    const double s_e = (v[kE] + es) + now[kS], s_s = (v[kS] + ss) + now[kS];
    const bool b = b_s >= b_e, e = e_m >= e_b, m = m_m >= m_b, s = s_s >= s_e;
    v = {b ? b_s : b_e, e ? e_m : e_b, m ? m_m : m_b, s ? s_s : s_e};
    came_from_[i] = static_cast<uint8_t>(b << kB | e << kE | m << kM | s << kS);
  }
  constexpr std::array<std::array<State, 2>, kStates> kBefore{{{kE, kS}, {kB, kM}, {kB, kM}, {kE, kS}}};
  State state = v[kS] >= v[kE] ? kS : kE;
  uint64_t* starts = block.starts();
  const bool restricted = !dictionary.force_split().empty();
  size_t token_end = count;
  for (size_t i = count; i-- > 0;) {
    const bool opens = state == kB || state == kS || i == 0;
    if (!opens) {
      clear(starts, begin + i);
    } else {
      if (restricted && dictionary.force_split().contains(std::string(block.bytes(begin + i, begin + token_end)))) {
        for (size_t k = i; k < token_end; ++k) starts[(begin + k) / 64] |= uint64_t{1} << ((begin + k) % 64);
      }
      token_end = i;
    }
    if (i > 0) state = kBefore[state][came_from_[i] >> state & 1];
  }
}

template void FinalSegmenter::join_runs(const JiebaDictionary&, Lattice&);
template void FinalSegmenter::join_runs(const JiebaDictionary&, LongBlock&);

namespace {

template <typename Block>
void join_letters_of(const JiebaDictionary& dictionary, Block& block) {
  const uint64_t* single = block.single();
  uint64_t* starts = block.starts();
  uint64_t carry = 0;
  for (size_t i = 0; i < block.bit_words(); ++i) {
    uint64_t letters = 0;
    for (uint64_t bits = single[i] & starts[i]; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<size_t>(std::countr_zero(bits));
      const Kind kind = dictionary.kinds()[block.codes()[i * 64 + bit]];
      letters |= uint64_t{JiebaDictionary::is_alphanumeric(kind)} << bit;
    }
    starts[i] &= ~(letters & (letters << 1 | carry));
    carry = letters >> 63;
  }
}

}  // namespace

void join_letters(const JiebaDictionary& dictionary, Lattice& lattice) {
  join_letters_of(dictionary, lattice);
}

void join_letters(const JiebaDictionary& dictionary, LongBlock& block) {
  join_letters_of(dictionary, block);
}

}  // namespace neardup::jieba
