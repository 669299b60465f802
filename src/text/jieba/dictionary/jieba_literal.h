// Reads a file of HMM tables of the Python package, which has one literal `P={...}`: a dictionary of numbers, of dictionaries, or of
// tuples.
//
// Understands just what those files have: keys that are one character, keys and elements that are a state ('B', 'n'), finite numbers.
// Errors are Error{kInput} and name file and line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace neardup::jieba {

/// A state of the HMM of tags: the position B, E, M or S, and the tag. Compares as the tuple in Python does.
using TagState = std::pair<char, std::string>;

class Literal {
 public:
  /// Both must outlive it.
  Literal(std::string_view text, const std::string& file);

  /// A dictionary whose keys are characters. Calls visit(key) for every entry, which has to read the value.
  template <typename Visit>
  void characters(Visit visit) {
    for_each_key([&] { return read_character(); }, visit);
  }
  /// The same with states.
  template <typename Visit>
  void states(Visit visit) {
    for_each_key([&] { return read_state(); }, visit);
  }
  /// A tuple of states.
  template <typename Visit>
  void tuple(Visit visit) {
    for_each_entry('(', ')', [&] { visit(read_state()); });
  }
  double number();
  [[noreturn]] void fail(std::string_view what) const;

 private:
  template <typename ReadKey, typename Visit>
  void for_each_key(ReadKey read_key, Visit visit) {
    for_each_entry('{', '}', [&] {
      const auto key = read_key();
      expect(':');
      visit(key);
    });
  }
  template <typename Read>
  void for_each_entry(char open, char close, Read read) {
    expect(open);
    while (peek() != close) {
      read();
      if (peek() == ',') {
        ++at_;
      } else if (peek() != close) {
        fail("expected ','");
      }
    }
    ++at_;
  }
  char peek();
  void expect(char c);
  char open_string();
  char32_t read_character();
  TagState read_state();

  std::string_view text_;
  const std::string& file_;
  size_t at_ = 0;
};

}  // namespace neardup::jieba
