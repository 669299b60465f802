// UserWords: user-defined words on top of a dictionary, with the rules of jieba 0.42.1: load_userdict, add_word, del_word, suggest_freq.
//
// Reproduces what these rules imply: every addition adds to the total, also that of an existing word, and no deletion subtracts from it;
// the HMM never makes a word with frequency 0 again, even when it is added later; a word with a character outside of jieba's blocks is
// never found as a whole. In jieba the set of such words is global; here each UserWords has its own.
//
// Not for concurrent use. build() gives an immutable dictionary that costs nothing extra where texts are cut; both it and UserWords
// need the base to outlive them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "text/jieba/dictionary/jieba_dictionary.h"

namespace neardup {

class UserWords {
 public:
  explicit UserWords(const JiebaDictionary& base);

  /// A file of lines `word [frequency] [tag]`. Throws Error{kInput} with file, line, bound and value.
  void load(const std::string& path);
  void load_text(std::string_view text, const std::string& file);
  /// Without a frequency: the one that suggest() gives. Throws Error{kUsage} when the word is not UTF-8 or a bound is passed.
  /// With an empty tag the word keeps its tag.
  void add(std::string_view word, std::optional<uint64_t> frequency = std::nullopt, std::string_view tag = {});
  void remove(std::string_view word) { add(word, 0); }
  /// The frequency that joins the word; with `tune` the word is added with it.
  uint64_t suggest(std::string_view word, bool tune = false);
  /// The frequency of the joined word that lets it fall into these pieces.
  uint64_t suggest(std::span<const std::string_view> pieces, bool tune = false);

  /// jieba's FREQ.get(word), with the changes.
  [[nodiscard]] std::optional<uint64_t> frequency(const std::string& word) const;
  [[nodiscard]] uint64_t total() const noexcept { return total_; }
  [[nodiscard]] JiebaDictionary build() const;

 private:
  [[nodiscard]] std::vector<std::string> cut(std::string_view text) const;
  [[nodiscard]] std::vector<std::string_view> new_tags() const;
  void cut_block(std::string_view text, const std::vector<size_t>& offsets, std::vector<std::string>& tokens) const;

  const JiebaDictionary& base_;
  std::unordered_map<std::string, uint64_t> changes_;  ///< differences from the base, prefixes included
  std::unordered_map<std::string, std::string> tags_;
  std::unordered_set<std::string> force_split_;
  uint64_t total_;
};

}  // namespace neardup
