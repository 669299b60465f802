// The file of a jieba dictionary (docs/dictionary.md): a header, a table of sections, the sections. Little-endian.
//
// Everything is checked when a file is opened, and trusted after that: the hash of every section (a flipped bit or a missing end
// is an Error that names file and section), the bounds of everything that is used as an index, and that every number is finite.
// That reads the file once, at the speed of memory (about 2 ms for 11 MB); in return no hot loop has to ask again, and a file
// that somebody forged, hashes included, cannot make anything read out of bounds. A file that is truncated while it is mapped is
// beyond this; dictionaries are replaced by rename.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/jieba/jieba_slots.h"

namespace neardup::jieba {

inline constexpr uint32_t kFormatVersion = 1;
inline constexpr size_t kStates = 4;  ///< of the HMM, in this order: B, E, M, S
inline constexpr double kNever = -3.14e100;

/// The arrays of a dictionary. Owns nothing.
struct Tables {
  std::span<const char32_t> alphabet;  ///< code -> code point; [0] is 0. All block characters are there.
  std::span<const Slot> slots;         ///< at least alphabet.size() slots after the largest base
  std::span<const uint64_t> counts;    ///< value -> frequency; [0] and [1] are 0
  std::span<const double> logs;        ///< value -> log(frequency); [0] and [1] are 0
  std::span<const double> weights;     ///< value -> log(frequency) - log(total)
  std::span<const uint32_t> idf_ids;   ///< slot -> place in idf, 0 for none; empty without an IDF table
  std::span<const double> idf;         ///< [0] is the median
  std::span<const double> hmm;         ///< start[4], then transition[from][to]; empty without an HMM
  std::span<const double> emissions;   ///< emissions[code * 4 + state]
  std::string_view stop_words;         ///< one a line
  uint64_t total = 0;                  ///< of the frequencies of all lines
  uint64_t words = 0;                  ///< with a frequency above 0
};

/// The whole file as bytes.
std::string serialize(const Tables& tables);

/// Checks everything and points `Tables` into `bytes`, which begin at a multiple of 8. `file` is for messages. Throws Error{kInput}.
Tables parse(std::string_view bytes, const std::string& file);

struct SectionInfo {
  std::string name;
  uint64_t bytes;
};
/// Of a file that parse() accepted.
std::vector<SectionInfo> list_sections(std::string_view bytes);
uint64_t contents_id(std::string_view bytes);

}  // namespace neardup::jieba
