// Which texts contain a clue, or a passage as close to it as its edits allow: the exact answers of clue_questions.cc, by reading all texts.
//
// An exact clue must occur as it is. A clue with e edits is judged by Myers' algorithm, in texts that can have it: one of e + 1 pieces of
// the clue must occur as it is, or, where these are shorter than 8 bytes, enough of its runs of 4 characters (an edit changes at most 4 of
// them). Texts and clues are normal forms.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "text/utf8/utf8.h"

namespace neardup::bench {

using Characters = std::u32string;
__extension__ using Bits = unsigned __int128;  // one for each character of a clue

inline Characters characters_of(std::string_view text) {
  Characters out;
  for (size_t at = 0; at < text.size();) {
    const Decoded c = decode_quickly(text, at);
    out += c.code_point;
    at += c.length;
  }
  return out;
}

inline std::string utf8_of(const Characters& text) {
  std::string out;
  for (const char32_t c : text) append_utf8(c, out);
  return out;
}

/// Edits of a pattern of at most 128 characters to its closest passage in a text (Myers' bit vectors).
class Closest {
 public:
  explicit Closest(const Characters& pattern) : length_(pattern.size()) {
    if (length_ > 128) throw std::runtime_error("a clue is longer than 128 characters");
    for (size_t i = 0; i < length_; ++i) places_[pattern[i]] |= Bits{1} << i;
    for (uint32_t c = 0; c < 128; ++c) ascii_[c] = places_.contains(c) ? places_[c] : 0;
  }
  [[nodiscard]] uint32_t edits(std::string_view text) const { return length_ <= 64 ? edits_in<uint64_t>(text) : edits_in<Bits>(text); }

 private:
  template <typename Word>
  [[nodiscard]] uint32_t edits_in(std::string_view text) const {
    Word more = static_cast<Word>(~Word{0});
    Word less = 0;
    auto score = static_cast<uint32_t>(length_);
    uint32_t best = score;
    const Word last = Word{1} << (length_ - 1);
    for (size_t at = 0; at < text.size();) {
      const Decoded c = decode_quickly(text, at);
      at += c.length;
      const Word equal = static_cast<Word>(c.code_point < 128 ? ascii_[c.code_point] : wide(c.code_point));
      const Word diagonal = (((equal & more) + more) ^ more) | equal | less;
      Word up = less | ~(diagonal | more);
      Word down = more & diagonal;
      score += (up & last) != 0;
      score -= (down & last) != 0;
      up <<= 1;  // a passage may begin anywhere: row 0 costs nothing
      down <<= 1;
      more = down | ~(diagonal | up);
      less = up & diagonal;
      best = std::min(best, score);
    }
    return best;
  }
  [[nodiscard]] Bits wide(char32_t c) const {
    const auto found = places_.find(c);
    return found == places_.end() ? 0 : found->second;
  }

  size_t length_;
  std::unordered_map<char32_t, Bits> places_;
  Bits ascii_[128] = {};
};

struct Clue {
  std::string kind;
  std::string text;
  uint64_t source = 0;
  uint32_t edits = 0;
  bool answered = true;
  std::vector<uint32_t> answers;  // if `answered`
};

/// Finds the clues of a text. Immutable, shared by threads, which bring a scratch each. `clues` must outlive it.
class ClueScan {
 public:
  class Scratch {
   public:
    explicit Scratch(const ClueScan& scan) : judged_(scan.clues_.size(), 0), runs_(scan.clues_.size()) {}

   private:
    friend ClueScan;
    struct Runs {
      uint64_t text = 0;   // the number of the text that the rest is about
      Bits seen = 0;       // bit i: the run of the clue that begins at i occurs in it
      uint32_t count = 0;  // of these bits
    };
    uint64_t text_ = 0;
    std::vector<uint64_t> judged_;  // the number of the last text that was judged, by clue
    std::vector<Runs> runs_;
    std::string padded_;
  };

  explicit ClueScan(const std::vector<Clue>& clues) : clues_(clues), closest_(clues.size()), needed_(clues.size()) {
    for (size_t i = 0; i < clues.size(); ++i) {
      if (!clues[i].answered) continue;
      if (clues[i].edits == 0) {
        add(clues[i].text, i);
        continue;
      }
      const Characters text = characters_of(clues[i].text);
      closest_[i].emplace(text);
      std::vector<std::string> pieces;
      for (size_t p = 0; p <= clues[i].edits; ++p) {
        const size_t from = text.size() * p / (clues[i].edits + 1);
        pieces.push_back(utf8_of(text.substr(from, text.size() * (p + 1) / (clues[i].edits + 1) - from)));
      }
      if (std::ranges::all_of(pieces, [](const std::string& piece) { return piece.size() >= sizeof(uint64_t); })) {
        for (const std::string& piece : pieces) add(piece, i);
      } else {
        add_runs(text, i);
      }
    }
  }

  /// Calls visit(number of the clue) for each clue that the text answers, in any order.
  template <typename Visit>
  void find(std::string_view form, Scratch& scratch, const Visit& visit) const {
    const uint64_t text = ++scratch.text_;
    scratch.padded_.assign(form).append(sizeof(uint64_t), '\0');  // room for reading 8 bytes anywhere
    for (size_t at = 0; at + kRun <= form.size(); ++at) {
      uint64_t eight = 0;
      std::memcpy(&eight, scratch.padded_.data() + at, sizeof eight);
      if (const auto* known = runs_.find(eight & UINT32_MAX)) {
        for (const auto& [clue, places] : *known) {
          Scratch::Runs& runs = scratch.runs_[clue];
          if (runs.text != text) runs = {.text = text};
          if ((places & ~runs.seen) == 0) continue;
          runs.count += bits(places & ~runs.seen);
          runs.seen |= places;
          if (scratch.judged_[clue] == text || runs.count < needed_[clue]) continue;
          scratch.judged_[clue] = text;
          if (close(clue, form)) visit(clue);
        }
      }
      for (const auto* known : {long_.find(eight), short_.find(eight & UINT32_MAX)}) {
        if (known == nullptr) continue;
        for (const auto& [clue, piece] : *known) {
          if (scratch.judged_[clue] == text || !form.substr(at).starts_with(piece)) continue;
          scratch.judged_[clue] = text;
          if (close(clue, form)) visit(clue);
        }
      }
    }
  }

 private:
  static constexpr size_t kRun = 4;

  /// What is known of a key of 8 or 4 bytes; most keys of a text are answered by one bit.
  template <typename What>
  class Table {
   public:
    std::vector<std::pair<size_t, What>>& operator[](uint64_t key) {
      seen_[slot(key)] = true;
      return known_[key];
    }
    [[nodiscard]] const std::vector<std::pair<size_t, What>>* find(uint64_t key) const {
      if (!seen_[slot(key)]) return nullptr;
      const auto found = known_.find(key);
      return found == known_.end() ? nullptr : &found->second;
    }

   private:
    static constexpr uint32_t kBits = 20;
    static size_t slot(uint64_t key) { return mix64(key) >> (64 - kBits); }
    std::vector<bool> seen_ = std::vector<bool>(size_t{1} << kBits);
    std::unordered_map<uint64_t, std::vector<std::pair<size_t, What>>> known_;
  };

  static uint32_t bits(Bits places) {
    return static_cast<uint32_t>(std::popcount(static_cast<uint64_t>(places)) + std::popcount(static_cast<uint64_t>(places >> 64)));
  }
  [[nodiscard]] bool close(size_t clue, std::string_view form) const {
    return !closest_[clue] || closest_[clue]->edits(form) <= clues_[clue].edits;
  }
  void add(const std::string& piece, size_t clue) {
    if (piece.size() < kRun) throw std::runtime_error("a clue is shorter than 4 bytes");
    uint64_t key = 0;
    const bool is_long = piece.size() >= sizeof key;
    std::memcpy(&key, piece.data(), is_long ? sizeof key : kRun);
    (is_long ? long_ : short_)[key].emplace_back(clue, piece);
  }
  void add_runs(const Characters& text, size_t clue) {
    if (!std::ranges::all_of(text, [](char32_t c) { return c < 128; })) throw std::runtime_error("short pieces need a clue in ASCII");
    const size_t lost = kRun * clues_[clue].edits;
    if (text.size() < kRun + lost) throw std::runtime_error("a clue has too many edits");
    needed_[clue] = static_cast<uint32_t>(text.size() - kRun + 1 - lost);
    for (size_t at = 0; at + kRun <= text.size(); ++at) {
      uint64_t key = 0;
      std::memcpy(&key, clues_[clue].text.data() + at, kRun);
      auto& known = runs_[key];
      const auto own = std::ranges::find(known, clue, &std::pair<size_t, Bits>::first);
      (own == known.end() ? known.emplace_back(clue, 0) : *own).second |= Bits{1} << at;
    }
  }

  const std::vector<Clue>& clues_;
  std::vector<std::optional<Closest>> closest_;  // of clues with edits
  std::vector<uint32_t> needed_;                 // runs that a text must have, of clues in runs_
  Table<std::string> long_;                      // pieces by their first 8 bytes
  Table<std::string> short_;                     // shorter ones by their first 4
  Table<Bits> runs_;
};

}  // namespace neardup::bench
