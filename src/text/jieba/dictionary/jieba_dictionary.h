// JiebaDictionary: the words, the IDF table, the HMM and the parts of speech of the jieba segmenter.
//
// Immutable, shared by threads. A file is read into memory, checked once (jieba_format.h) and then trusted. A view made by UserWords shares
// the tables of its base, which must outlive it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kernels/kernels.h"
#include "text/jieba/dictionary/jieba_format.h"

namespace neardup {

class JiebaDictionary {
 public:
  static constexpr char32_t kFirstHan = 0x4E00;
  static constexpr char32_t kLastHan = 0x9FD5;
  static constexpr size_t kHan = kLastHan - kFirstHan + 1;

  /// The classes of a block's characters in the rules of jieba.
  enum class Kind : uint8_t { kGap, kHan, kLetter, kDigit, kDot, kPercent, kOther };
  static constexpr bool is_block(char32_t c) noexcept {
    return (c >= kFirstHan && c <= kLastHan) || (c < 0x80 && ascii_kind(c) != Kind::kGap);
  }
  static constexpr bool is_alphanumeric(Kind kind) noexcept { return kind == Kind::kLetter || kind == Kind::kDigit; }
  static constexpr Kind ascii_kind(char32_t c) noexcept {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return Kind::kLetter;
    if (c >= '0' && c <= '9') return Kind::kDigit;
    if (c == '.') return Kind::kDot;
    if (c == '%') return Kind::kPercent;
    return c == '+' || c == '#' || c == '&' || c == '_' || c == '-' ? Kind::kOther : Kind::kGap;
  }

  /// Throws Error{kInput} naming the file and the section.
  static JiebaDictionary open(const std::string& path);
  /// The same, but a file with the bytes of the one opened last is not checked again: a recipe and its sketchers share one dictionary. That
  /// one is kept until another is opened. Thread-safe.
  static std::shared_ptr<const JiebaDictionary> open_shared(const std::string& path);
  /// As open(), for bytes in memory; `name` is for messages.
  static JiebaDictionary from_bytes(std::string bytes, const std::string& name);
  /// A view for UserWords: other slots and values, the rest from `base`.
  struct Changes {
    std::vector<jieba::Slot> slots;
    std::vector<uint32_t> idf_ids;
    std::vector<uint64_t> counts;
    std::vector<double> logs;
    std::vector<double> weights;
    uint64_t total = 0;
    std::string tag_names;  // this one and word_tags only if the base has tags
    std::vector<uint16_t> word_tags;
    std::unordered_set<std::string> force_split;
  };
  static JiebaDictionary changed(const JiebaDictionary& base, Changes changes);

  JiebaDictionary(JiebaDictionary&&) noexcept;
  JiebaDictionary& operator=(JiebaDictionary&&) noexcept;
  ~JiebaDictionary();

  /// XXH3-64 of the contents without tags, for recipes to name. A view has the id of its base.
  [[nodiscard]] uint64_t id() const noexcept { return id_; }
  [[nodiscard]] const jieba::Tables& tables() const noexcept { return tables_; }
  /// Of the file; a view has none.
  [[nodiscard]] std::vector<jieba::SectionInfo> sections() const;
  [[nodiscard]] uint64_t file_bytes() const noexcept;
  [[nodiscard]] bool has_hmm() const noexcept { return !tables_.hmm.empty(); }
  [[nodiscard]] bool has_tags() const noexcept { return !tables_.tags.empty(); }
  [[nodiscard]] bool has_idf() const noexcept { return !tables_.idf.empty(); }

  /// The code of a character in words, or 0.
  [[nodiscard]] uint16_t code_of(char32_t c) const noexcept;
  /// The node of a word or a prefix, or 0.
  [[nodiscard]] uint32_t find(std::string_view word) const noexcept;
  /// jieba's FREQ.get(word): 0 for a mere prefix, nothing for a missing key.
  [[nodiscard]] std::optional<uint64_t> frequency(std::string_view word) const noexcept;

  /// For the hot loops. code -> class; trie() has the first step into the trie, and the weight of the character as a word (of a gap: 0).
  [[nodiscard]] const Kind* kinds() const noexcept { return kinds_.data(); }
  [[nodiscard]] const kernels::JiebaTrie& trie() const noexcept { return trie_; }
  /// One for each code point of the first plane, and one more: kernels read two at a time.
  static constexpr size_t kBlockCodes = 0x10001;
  /// The code of a character of a block by its code point, all of which are below 0x10000; 0 for others.
  [[nodiscard]] const uint16_t* block_codes() const noexcept { return block_codes_.data(); }
  /// Words that the HMM must not make.
  [[nodiscard]] const std::unordered_set<std::string>& force_split() const noexcept { return force_split_; }

 private:
  struct Storage;
  JiebaDictionary();
  void derive();

  std::unique_ptr<const Storage> storage_;
  jieba::Tables tables_;
  uint64_t id_ = 0;
  std::vector<Kind> kinds_;
  std::vector<uint32_t> first_bases_;
  std::vector<double> first_weights_;
  std::vector<uint16_t> block_codes_;
  std::vector<uint16_t> labels_;
  std::vector<double> edge_weights_;
  kernels::JiebaTrie trie_{};
  std::vector<std::pair<char32_t, uint16_t>> others_;  // sorted: characters of words that are of no block
  std::unordered_set<std::string> force_split_;
};

/// The dictionary to use when none is named: NEARDUP_DICT of the environment; else jieba.dict next to the shared object that this code is a
/// part of, as in the Python package; else share/neardup/jieba.dict next to the folder of the running program; else that of the prefix for
/// which this build was configured; else that of ~/.local; else that of the Debian package. Throws Error{kInput} that says what to do when
/// there is none.
std::string find_jieba_dictionary();

}  // namespace neardup
