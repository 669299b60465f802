// TextUnits: the units of a text by which edits are counted: words, and single characters of Chinese, Japanese and Korean; and its
// sentences.
//
// A unit is a run of letters, digits and marks, or one ideograph, kana or Hangul syllable (the classes of words_v1). Between units are
// gaps: white space and punctuation. Immutable, shared by threads. Does not own the text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace neardup::generate_detail {

class TextUnits {
 public:
  struct Unit {
    size_t begin;
    size_t end;
    bool single;  ///< a character that is a unit of its own
  };
  /// The units from first to below last.
  struct Sentence {
    size_t first;
    size_t last;
  };

  /// `text` must be well-formed UTF-8 and outlive the object.
  explicit TextUnits(std::string_view text);

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] size_t size() const noexcept { return units_.size(); }
  [[nodiscard]] const Unit& operator[](size_t i) const noexcept { return units_[i]; }
  [[nodiscard]] std::string_view unit(size_t i) const noexcept { return text_.substr(units_[i].begin, units_[i].end - units_[i].begin); }
  /// The bytes before unit i, after the unit before it; i == size() is the end of the text.
  [[nodiscard]] std::string_view gap(size_t i) const noexcept;
  /// The text from unit `first` to the end of unit `last` - 1. Requires first < last.
  [[nodiscard]] std::string_view range(size_t first, size_t last) const noexcept {
    return text_.substr(units_[first].begin, units_[last - 1].end - units_[first].begin);
  }
  /// Cover all units, in order. A sentence ends at . ! ? ; and their wide forms, and at a line end.
  [[nodiscard]] const std::vector<Sentence>& sentences() const noexcept { return sentences_; }
  /// True if more than half of the units are single characters: words are not separated by blanks.
  [[nodiscard]] bool unspaced() const noexcept { return unspaced_; }

 private:
  std::string_view text_;
  std::vector<Unit> units_;
  std::vector<Sentence> sentences_;
  bool unspaced_ = false;
};

/// True if a text has at least so many units; reads no more of it than that.
bool has_units(std::string_view text, size_t units);

}  // namespace neardup::generate_detail
