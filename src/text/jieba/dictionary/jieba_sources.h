// Reads the sources of a dictionary: dict.txt, idf.txt, stop words, user dictionaries, and the HMM tables of the Python package.
//
// Strict where jieba would accept malformed input: it is an Error{kInput} with file, line, bound and value.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/jieba/dictionary/jieba_format.h"

namespace neardup::jieba {

/// Frequencies, and their sum, are integers that a double holds exactly.
inline constexpr uint64_t kMaxFrequency = (uint64_t{1} << 53) - 1;
inline constexpr size_t kMaxWordCharacters = 255;
/// Of a dictionary, of what one is made from, and of user words: a wrong file must not take all memory.
inline constexpr uint64_t kMaxSourceBytes = uint64_t{1} << 30;
/// Of valid UTF-8.
size_t count_characters(std::string_view text) noexcept;

struct WordCount {
  std::string word;
  uint64_t frequency;
  std::string tag = {};  ///< empty: none
};
struct WordIdf {
  std::string word;
  double idf;
};
struct Hmm {
  std::array<double, kStates> start;
  std::array<std::array<double, kStates>, kStates> transition;  ///< [from][to]
  std::map<char32_t, std::array<double, kStates>> emission;
};

/// Reads a whole file of at most kMaxSourceBytes. Throws Error{kInput}.
std::string read_source(const std::string& path);

/// Lines `word frequency [tag]`, parted by single blanks; bytes below '!' at the ends of a line are cut off, as jieba does.
std::vector<WordCount> parse_words(std::string_view text, const std::string& file);
/// Lines `word idf`; lines end where Python's str.splitlines() ends them.
std::vector<WordIdf> parse_idf(std::string_view text, const std::string& file);
/// One per line (str.splitlines()), unchanged.
std::vector<std::string> parse_stop_words(std::string_view text, const std::string& file);
/// `folder` holds prob_start.py, prob_trans.py and prob_emit.py of jieba/finalseg.
Hmm read_hmm(const std::string& folder);

/// A line of a user dictionary: `word [frequency] [tag]`, the word may hold blanks; the rule of jieba's load_userdict().
struct UserLine {
  std::string word;
  std::optional<uint64_t> frequency;
  std::string tag;  ///< empty: none
  size_t line = 0;  ///< its number in the file, from 1
};
std::vector<UserLine> parse_user_words(std::string_view text, const std::string& file);

/// The element in the middle of the sorted values of distinct words, the last one of a word counting: jieba's median.
double median_idf(const std::vector<WordIdf>& table);

}  // namespace neardup::jieba
