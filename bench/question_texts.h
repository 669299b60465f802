// The texts of a question bank: made of real sentences, each a function of the seed and its row, so that any thread can make any of them.
//
// A text that is not planted is three to eight clauses out of the pool, drawn separately for each row: among a million clauses hardly any
// two texts share two of them. A planted one is an earlier text that is not planted, changed in one of the ways of Change.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "text/utf8/utf8.h"

namespace question_bank {

enum class Change : uint8_t { kWord, kNumber, kSpace, kTag, kTail };
inline constexpr std::array<std::string_view, 5> kChanges{"word", "number", "space", "tag", "tail"};

/// SplitMix64, seeded for each row and purpose.
class Random {
 public:
  enum Purpose : uint64_t { kOrigin, kText, kEdit };
  Random(uint64_t seed, uint64_t row, Purpose purpose) : state_(neardup::mix64(seed ^ neardup::mix64(3 * row + purpose + 1))) {}
  uint64_t operator()() noexcept { return neardup::mix64(state_ += 0x9E37'79B9'7F4A'7C15u); }
  uint64_t below(uint64_t bound) noexcept { return (*this)() % bound; }
  bool chance(double share) noexcept { return static_cast<double>((*this)() >> 11) * 0x1p-53 < share; }

 private:
  uint64_t state_;
};

/// Clauses of one kind of script, each once.
class Pool {
 public:
  explicit Pool(bool ideographs) : ideographs_(ideographs) {}

  /// Cuts a text into clauses at its punctuation, and keeps those that are neither too short to tell texts apart nor a paragraph.
  void add(std::string_view text) {
    std::string clause;
    for (size_t at = 0; at < text.size();) {
      const neardup::Decoded c = neardup::decode_utf8(text, at);
      const bool blank = c.code_point == ' ';
      if (c.code_point < 0x20 || stops(c.code_point)) {
        take(clause);
      } else if (!blank || (!clause.empty() && clause.back() != ' ')) {
        clause += text.substr(at, c.length);
      }
      at += c.length;
    }
    take(clause);
  }
  /// Call it after the last.
  void finish() {
    std::ranges::sort(clauses_);
    clauses_.erase(std::unique(clauses_.begin(), clauses_.end()), clauses_.end());
  }
  [[nodiscard]] size_t size() const noexcept { return clauses_.size(); }
  [[nodiscard]] std::string_view any(Random& random) const noexcept { return clauses_[random.below(clauses_.size())]; }

 private:
  static bool stops(char32_t c) {
    constexpr std::u32string_view kStops = U".,;:!?\"\\()[]{}<>|*#`_=~。，；：！？（）「」『』《》、“”‘’【】\u3000\uFFFD";
    return kStops.find(c) != std::u32string_view::npos;
  }
  void take(std::string& clause) {
    while (!clause.empty() && clause.back() == ' ') clause.pop_back();
    const bool wide = !clause.empty() && static_cast<unsigned char>(clause[0]) >= 0xE3;
    const size_t least = ideographs_ ? 15 : 12;
    if (wide == ideographs_ && clause.size() >= least && clause.size() <= 90) clauses_.push_back(clause);
    clause.clear();
  }

  bool ideographs_;
  std::vector<std::string> clauses_;
};

struct Bank {
  uint64_t seed = 1;
  double planted = 0.3;
  double chinese = 0.7;  ///< share of the texts
  Pool ideographs{true};
  Pool letters{false};
};

struct Origin {
  bool planted = false;
  uint64_t row = 0;  ///< of the original; rows are from 0 here
  Change change = Change::kWord;
};

inline Origin origin_of(const Bank& bank, uint64_t row) {
  const auto is_planted = [&](uint64_t of, Random& random) { return random.chance(bank.planted) && of > 0; };
  Random random(bank.seed, row, Random::kOrigin);
  if (!is_planted(row, random)) return {};
  Origin origin{.planted = true, .row = row, .change = static_cast<Change>(random.below(kChanges.size()))};
  for (bool again = true; again;) {
    origin.row = random.below(row);
    Random of_origin(bank.seed, origin.row, Random::kOrigin);
    again = is_planted(origin.row, of_origin);
  }
  return origin;
}

/// Makes texts; one a thread.
class Writer {
 public:
  explicit Writer(const Bank& bank) : bank_(bank) {}

  /// Valid until the next call. Nothing in it has to be escaped in JSON.
  std::string_view text(uint64_t row, const Origin& origin) {
    text_.clear();
    Random random(bank_.seed, origin.planted ? origin.row : row, Random::kText);
    const bool chinese = random.chance(bank_.chinese);
    const Pool& pool = chinese ? bank_.ideographs : bank_.letters;
    compose(pool, chinese, random);
    if (origin.planted) {
      Random edits(bank_.seed, row, Random::kEdit);
      change(pool, chinese, origin.change, edits);
    }
    return text_;
  }

 private:
  // A statement, or a question with answers to choose from.
  void compose(const Pool& pool, bool chinese, Random& random) {
    const uint64_t clauses = 3 + std::min(random.below(4), random.below(5));
    const bool choice = random.chance(0.5);
    const uint64_t stem = choice ? 2 : clauses;
    for (uint64_t i = 0; i < clauses; ++i) {
      if (i > 0 && i < stem) text_ += chinese ? "，" : ", ";
      if (i == stem) text_ += chinese ? "（　）" : ": ";
      if (i >= stem) text_.append({' ', static_cast<char>('A' + i - stem), '.', ' '});
      text_ += pool.any(random);
    }
    if (!choice) text_ += chinese ? "。" : ".";
    if (random.chance(0.2))
      text_ += chinese ? "（" + std::to_string(1 + random.below(20)) + "分）" : " (" + std::to_string(1 + random.below(20)) + ")";
  }

  void change(const Pool& pool, bool chinese, Change kind, Random& random) {
    switch (kind) {
      case Change::kWord:
        return change_word(pool.any(random), chinese, random);
      case Change::kNumber:
        return change_number(random);
      case Change::kSpace:
        return add_space(chinese, random);
      case Change::kTag: {
        const size_t at = boundary(random);
        text_.insert(at, "</b>");
        text_.insert(0, "<b>");
        return;
      }
      case Change::kTail:
        text_ +=
            chinese ? "【第" + std::to_string(random.below(100'000)) + "题】" : " [question " + std::to_string(random.below(100'000)) + "]";
        return;
    }
  }

  // Where a character begins.
  size_t boundary(Random& random) {
    size_t at = random.below(text_.size());
    while ((static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80) --at;
    return at;
  }

  // Two ideographs, or the letters of a word, are replaced by the first ones of another clause.
  void change_word(std::string_view other, bool chinese, Random& random) {
    if (chinese) {
      size_t begin = boundary(random);
      begin = std::min(begin, text_.size() - 3);
      while ((static_cast<unsigned char>(text_[begin]) & 0xC0) == 0x80) --begin;
      size_t end = begin;
      for (int i = 0; i < 2 && end < text_.size(); ++i) end += neardup::decode_utf8(text_, end).length;
      const uint32_t first = neardup::decode_utf8(other, 0).length;
      text_.replace(begin, end - begin, other.substr(0, first + neardup::decode_utf8(other, first).length));
      return;
    }
    const size_t at = boundary(random);
    const size_t begin = text_.rfind(' ', at) == std::string::npos ? 0 : text_.rfind(' ', at) + 1;
    const size_t end = std::min(text_.find(' ', begin), text_.size());
    text_.replace(begin, end - begin, other.substr(0, other.find(' ')));
  }

  // Another digit; a text without one gets a number in front.
  void change_number(Random& random) {
    const size_t at = text_.find_first_of("0123456789", random.below(text_.size()));
    if (at == std::string::npos) {
      text_.insert(0, std::to_string(1 + random.below(999)) + ". ");
    } else {
      text_[at] = static_cast<char>('0' + (static_cast<uint64_t>(text_[at] - '0') + 1 + random.below(9)) % 10);
    }
  }

  // A blank between ideographs, or one blank more between words.
  void add_space(bool chinese, Random& random) {
    size_t at = boundary(random);
    if (!chinese) at = std::min(text_.find(' ', at), text_.size());
    text_.insert(at, chinese && random.chance(0.5) ? "\\n" : " ");
  }

  const Bank& bank_;
  std::string text_;
};

}  // namespace question_bank
