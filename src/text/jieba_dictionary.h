// JiebaDictionary: the words, the IDF table and the HMM that the jieba segmenter reads.
//
// Immutable, shared by threads. A file is mapped, checked once (jieba_format.h) and then trusted. A view that UserWords makes
// shares the tables of its base, which has to outlive it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "text/jieba_format.h"

namespace neardup {

class JiebaDictionary {
 public:
  static constexpr char32_t kFirstHan = 0x4E00;
  static constexpr char32_t kLastHan = 0x9FD5;
  static constexpr size_t kHan = kLastHan - kFirstHan + 1;

  /// What a character of a block is to the rules of jieba.
  enum class Kind : uint8_t { kGap, kHan, kLetter, kDigit, kDot, kPercent, kOther };
  static constexpr bool is_block(char32_t c) noexcept {
    return (c >= kFirstHan && c <= kLastHan) || (c < 0x80 && ascii_kind(c) != Kind::kGap);
  }
  static constexpr Kind ascii_kind(char32_t c) noexcept {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return Kind::kLetter;
    if (c >= '0' && c <= '9') return Kind::kDigit;
    if (c == '.') return Kind::kDot;
    if (c == '%') return Kind::kPercent;
    return c == '+' || c == '#' || c == '&' || c == '_' || c == '-' ? Kind::kOther : Kind::kGap;
  }

  /// The first step into the trie, by code: one line of the cache for what every character needs.
  struct First {
    double weight;  ///< of the character as a word, or minus infinity
    uint32_t base;
    Kind kind;
  };

  /// Throws Error{kInput} naming the file and the section.
  static JiebaDictionary open(const std::string& path);
  /// The same for bytes in memory; `name` is for messages.
  static JiebaDictionary from_bytes(std::string bytes, const std::string& name);
  /// What UserWords makes: other slots and values, the rest from `base`.
  struct Changes {
    std::vector<jieba::Slot> slots;
    std::vector<uint32_t> idf_ids;
    std::vector<uint64_t> counts;
    std::vector<double> logs;
    std::vector<double> weights;
    uint64_t total = 0;
    std::unordered_set<std::string> force_split;
  };
  static JiebaDictionary changed(const JiebaDictionary& base, Changes changes);

  JiebaDictionary(JiebaDictionary&&) noexcept;
  JiebaDictionary& operator=(JiebaDictionary&&) noexcept;
  ~JiebaDictionary();

  /// XXH3-64 of the contents, for recipes to name. A view has the id of its base.
  [[nodiscard]] uint64_t id() const noexcept { return id_; }
  [[nodiscard]] const jieba::Tables& tables() const noexcept { return tables_; }
  /// Of the file; a view has none.
  [[nodiscard]] std::vector<jieba::SectionInfo> sections() const;
  [[nodiscard]] uint64_t file_bytes() const noexcept;
  [[nodiscard]] bool has_hmm() const noexcept { return !tables_.hmm.empty(); }
  [[nodiscard]] bool has_idf() const noexcept { return !tables_.idf.empty(); }

  /// The code of a character in words, or 0.
  [[nodiscard]] uint16_t code_of(char32_t c) const noexcept;
  /// The node of a word or a prefix, or 0.
  [[nodiscard]] uint32_t find(std::string_view word) const noexcept;
  /// jieba's FREQ.get(word): 0 for what is only a prefix, nothing for what is no key.
  [[nodiscard]] std::optional<uint64_t> frequency(std::string_view word) const noexcept;

  /// For the hot loops: code -> first step; code of a Han character minus kFirstHan, of an ASCII character. 0: not of a block.
  [[nodiscard]] const First* first() const noexcept { return first_.data(); }
  [[nodiscard]] const uint16_t* han_codes() const noexcept { return han_codes_.data(); }
  [[nodiscard]] const uint16_t* ascii_codes() const noexcept { return ascii_codes_.data(); }
  /// value -> weight of an edge: minus infinity for what is no word.
  [[nodiscard]] const double* edge_weights() const noexcept { return edge_weights_.data(); }
  /// log(1) - log(total): a character that no word begins with.
  [[nodiscard]] double unknown_weight() const noexcept { return tables_.weights[jieba::kPrefixOnly]; }
  /// Words that the HMM must not make.
  [[nodiscard]] const std::unordered_set<std::string>& force_split() const noexcept { return force_split_; }

 private:
  struct Storage;
  JiebaDictionary();
  void derive();

  std::unique_ptr<const Storage> storage_;
  jieba::Tables tables_;
  uint64_t id_ = 0;
  std::vector<First> first_;
  std::vector<uint16_t> han_codes_;
  std::array<uint16_t, 128> ascii_codes_{};
  std::vector<double> edge_weights_;
  std::vector<std::pair<char32_t, uint16_t>> others_;  // sorted: characters of words that are of no block
  std::unordered_set<std::string> force_split_;
};

/// The dictionary to use when none is named: NEARDUP_DICT of the environment, else share/neardup/jieba.dict beside the folder of the
/// running program, else where this build was made or installed. Throws Error{kInput} that says what to do when there is none.
std::string find_jieba_dictionary();

}  // namespace neardup
