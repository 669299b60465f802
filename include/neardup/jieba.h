// Jieba: Chinese words, tags and keywords exactly as the Python package jieba 0.42.1 gives them; and the dictionary that it reads.
//
//   neardup::Jieba jieba;
//   jieba.add_word("石墨烯");
//   for (const std::string& word : jieba.cut("「石墨烯」很薄")) { ... }
//
// docs/segmentation.md defines the results, docs/dictionary.md the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neardup {

class JiebaKeywords;

/// A dictionary with the words that the program adds. The functions have the names that they have in jieba.
///
/// Texts are UTF-8, at most 256 MiB; malformed UTF-8 reads as U+FFFD per maximal subpart. The dictionary's file is never changed, and added
/// and deleted words belong to this object alone. After a change the next call that cuts builds new tables, in time and memory
/// proportional to the dictionary: make changes together.
///
/// Threads: all functions may be called from several threads at once, except move and destruction. A call cuts all its texts with the words
/// that the object had when the call began; changes made meanwhile apply to later calls.
/// Errors: Error{kUsage} for a text that is too long, for a table that the dictionary lacks, and for the bounds of user words: valid
/// UTF-8, at most 255 characters, frequencies that sum to at most 2^53 - 1, at most 65,535 different tags (reported by the next call that
/// cuts). After an error the words are as they were before the call.
class Jieba {
 public:
  /// A word and its place. begin and end count code points, as in jieba; the others are the same place in bytes of the text.
  struct Token {
    std::string word;
    size_t begin = 0;
    size_t end = 0;
    size_t begin_byte = 0;
    size_t end_byte = 0;
  };
  struct TaggedWord {
    std::string word;
    std::string tag;  ///< part of speech: "n", "v", "ns"
  };
  struct Keyword {
    std::string word;
    double weight = 0;
  };
  enum class TokenizeMode {
    kDefault,  ///< the words of cut()
    kSearch,   ///< the words of cut_for_search()
  };
  enum class CutMode {
    kDefault,  ///< the words of cut()
    kAll,      ///< the words of cut_all()
    kSearch,   ///< the words of cut_for_search()
  };
  // Words in place. The views are valid only during the call that gives them.
  struct TokenView {
    std::string_view word;
    size_t begin = 0;
    size_t end = 0;
    size_t begin_byte = 0;
    size_t end_byte = 0;
  };
  struct TaggedView {
    std::string_view word;
    std::string_view tag;
  };

  /// An empty path: the dictionary that is used when none is named (NEARDUP_DICT, or the installed one). Throws Error{kInput}.
  explicit Jieba(const std::string& dictionary = {});
  /// jieba.set_dictionary(words): the words of this file instead of those of the dictionary, which still gives the HMM, the IDF table, stop
  /// words and the HMM of parts of speech. Lines `word frequency [tag]`; of a repeated word the last line counts, the total has all. Throws
  /// Error{kInput} with file, line, bound and value.
  static Jieba with_words(const std::string& words, const std::string& dictionary = {});
  Jieba(Jieba&&) noexcept;
  Jieba& operator=(Jieba&&) noexcept;
  ~Jieba();

  // Words. Without `hmm`, only words of the dictionary and single characters.

  /// jieba.lcut(text, HMM=hmm).
  [[nodiscard]] std::vector<std::string> cut(std::string_view text, bool hmm = true) const;
  /// jieba.lcut(text, cut_all=True): every word of the dictionary in the text.
  [[nodiscard]] std::vector<std::string> cut_all(std::string_view text) const;
  /// jieba.lcut_for_search(text, HMM=hmm): before each long word the words of two and three characters in it.
  [[nodiscard]] std::vector<std::string> cut_for_search(std::string_view text, bool hmm = true) const;
  /// jieba.tokenize(text, mode, HMM=hmm).
  [[nodiscard]] std::vector<Token> tokenize(std::string_view text, TokenizeMode mode = TokenizeMode::kDefault, bool hmm = true) const;
  /// jieba.posseg.lcut(text, HMM=hmm). It does not cut as cut() does.
  [[nodiscard]] std::vector<TaggedWord> posseg_cut(std::string_view text, bool hmm = true) const;
  /// jieba.analyse.extract_tags(text, topK=top, withWeight=True, allowPOS=allow_pos). top 0: all. A tag that the dictionary does not have
  /// is an error. For another IDF table, other stop words, or many texts see JiebaKeywords.
  [[nodiscard]] std::vector<Keyword> extract_tags(std::string_view text, size_t top = 20,
                                                  std::span<const std::string> allow_pos = {}) const;

  // The same without a copy of each word, for callers that build strings of their own.

  /// The words of cut(), cut_all() or cut_for_search() of many texts: calls take(i, words) for each text in order. cut_all() has no HMM.
  void cut_each(std::span<const std::string_view> texts, CutMode mode, bool hmm,
                const std::function<void(size_t text, std::span<const std::string_view> words)>& take) const;
  /// The words of tokenize(): one call of `take`. begin_byte and end_byte are always places in `text`.
  void tokenize_views(std::string_view text, TokenizeMode mode, bool hmm,
                      const std::function<void(std::span<const TokenView>)>& take) const;
  /// The words of posseg_cut(): one call of `take`.
  void posseg_views(std::string_view text, bool hmm, const std::function<void(std::span<const TaggedView>)>& take) const;
  /// Whether the next call that cuts has its tables. If not, it builds them first, which takes far longer than to cut a short text.
  [[nodiscard]] bool ready() const noexcept;

  // Changes.

  /// A file of lines `word [frequency] [tag]`. Throws Error{kInput} with file, line, bound and value; earlier lines then have effect.
  void load_userdict(const std::string& path);
  /// Without a frequency: that of suggest_freq(word). With an empty tag the word keeps its tag, and a new one has "x".
  void add_word(std::string_view word, std::optional<uint64_t> frequency = std::nullopt, std::string_view tag = {});
  /// The same as frequency 0. cut() does not find the word by its HMM either.
  void del_word(std::string_view word);
  /// The frequency that keeps the word in one piece; with `tune` the word gets it.
  uint64_t suggest_freq(std::string_view word, bool tune = false);
  /// The frequency of the joined pieces that lets them fall apart. The HMM may join them again.
  uint64_t suggest_freq(std::span<const std::string_view> pieces, bool tune = false);

  /// jieba.get_FREQ(word): 0 for a word that was deleted and for the mere beginning of words, nothing if it is neither.
  [[nodiscard]] std::optional<uint64_t> frequency(std::string_view word) const;
  /// The sum of all frequencies, which every added word increases.
  [[nodiscard]] uint64_t total() const;
  /// The stop words of the dictionary, which are those of jieba.analyse, in ascending order.
  [[nodiscard]] std::vector<std::string> stop_words() const;

 private:
  friend class JiebaKeywords;
  struct Parts;
  explicit Jieba(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// jieba.analyse.TFIDF: keywords by TF-IDF with an IDF table and stop words of its own. At first both are those of the dictionary.
///
/// Threads: all functions may be called from several threads at once, except move and destruction. The tables that a call needs are kept
/// for the next one with the same words, settings and tags.
class JiebaKeywords {
 public:
  JiebaKeywords();
  JiebaKeywords(JiebaKeywords&&) noexcept;
  JiebaKeywords& operator=(JiebaKeywords&&) noexcept;
  ~JiebaKeywords();

  /// A file of lines `word idf`, read now. Throws Error{kInput} with file, line and value, and nothing is changed.
  void set_idf_path(const std::string& path);
  /// Instead of the present stop words. A keyword is a stop word if it is one in lower case.
  void set_stop_words(std::span<const std::string> words);

  /// The best `top` keywords, 0: all; `allow_pos`: only words with these tags, cut as posseg_cut() does. Unlike Jieba::extract_tags(), a
  /// tag that no word has matches nothing. Throws Error{kUsage} for a table that the dictionary lacks.
  [[nodiscard]] std::vector<Jieba::Keyword> extract_tags(const Jieba& jieba, std::string_view text, size_t top = 20,
                                                         std::span<const std::string> allow_pos = {}) const;
  /// The IDF of a word: the median for one that the table does not have.
  [[nodiscard]] double idf(const Jieba& jieba, std::string_view word) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The sources of a dictionary: the files of jieba, or files of the same form. Only the words are required.
struct DictionarySources {
  std::string words;       ///< lines "word frequency [tag]"
  std::string idf;         ///< lines "word idf", or empty: keywords then need an IDF table of their own
  std::string stop_words;  ///< one a line, or empty
  std::string hmm;         ///< a folder with prob_start.py, prob_trans.py and prob_emit.py, or empty: then no new words are found
  std::string tags;        ///< a folder with prob_start.py, prob_trans.py, prob_emit.py and char_state_tab.py, or empty: then no tags
};

struct DictionaryInfo {
  std::string path;
  uint64_t id = 0;  ///< XXH3-64 of the contents without tags
  uint64_t bytes = 0;
  uint64_t words = 0;
  uint64_t total = 0;  ///< of the frequencies
  uint64_t characters = 0;
  uint64_t slots = 0;
  bool has_idf = false;
  bool has_hmm = false;
  bool has_tags = false;                                   ///< parts of speech
  std::vector<std::pair<std::string, uint64_t>> sections;  ///< and their bytes
};

/// Writes the file; it appears under its name when it is complete. Throws Error naming file, line, bound and value.
DictionaryInfo build_jieba_dictionary(const DictionarySources& sources, const std::string& path);

/// Checks the whole file. An empty path: the dictionary that is used when none is named (NEARDUP_DICT, or the installed one).
DictionaryInfo jieba_dictionary_info(const std::string& path);

}  // namespace neardup
