// StopWords: a set of words that carry no meaning of their own and are left out before texts are compared.
//
// A word is a string of bytes, and contains() compares bytes: the set must be in the form of the tokens, after the normalizer; images_of()
// converts it. The built-in lists ("english_v1", "chinese_v1") are in a form that both normalizers leave unchanged, and cut as by words_v1
// ("don't" is "don" and "t").
//
// Immutable, shared by threads. The canonical bytes of a set are its words in ascending order of bytes, each followed by a newline; their
// XXH3-64 is the id.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

class Normalizer;

class StopWords {
 public:
  StopWords() : StopWords(std::vector<std::string>()) {}
  /// Repetitions and empty words are dropped.
  explicit StopWords(std::vector<std::string> words);

  /// One word a line in UTF-8, without the white space around it; empty lines and a byte order mark are skipped. There are no comments:
  /// any text may be a stop word. Throws Error{kInput} for bytes that are not UTF-8 and for words above kMaxWordBytes; it begins
  /// "`name`:LINE: ".
  static StopWords parse(std::string_view bytes, const std::string& name);
  /// A built-in list or, for any other name, a file of at most kMaxFileBytes. Throws Error{kUsage, kInput}.
  static StopWords load(const std::string& name_or_path);
  static std::vector<std::string_view> built_in_names();

  /// The set of the normalized words; those that are normalized to nothing are dropped.
  [[nodiscard]] StopWords images_of(const Normalizer& normalizer) const;

  [[nodiscard]] bool contains(std::string_view word) const noexcept;
  /// In ascending order.
  [[nodiscard]] const std::vector<std::string>& words() const noexcept { return words_; }
  [[nodiscard]] size_t size() const noexcept { return words_.size(); }
  [[nodiscard]] std::string canonical_bytes() const;
  [[nodiscard]] uint64_t id() const;

  static constexpr size_t kMaxWordBytes = 255;
  static constexpr uint64_t kMaxFileBytes = 64u << 20;

 private:
  std::vector<std::string> words_;
  std::vector<uint64_t> hashes_;  // by slot
  std::vector<uint32_t> slots_;   // index of the word plus 1; 0: empty
  size_t mask_ = 0;
  size_t longest_ = 0;
};

}  // namespace neardup
