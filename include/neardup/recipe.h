// Recipe: everything that determines how a text becomes features and a sketch.
//
// A recipe is a small JSON object. Equal ids mean equal sketches: the id is XXH3-64 of the canonical JSON (sorted keys, no white space,
// members with their default left out; the name is not part of it). Files that a recipe uses (a dictionary, stop words, an IDF table) are
// named by path and stand in the canonical form by the id of their contents. docs/recipe.md defines every field to the byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

enum class NormalizerKind {
  kCasefold,      ///< "nfkc_casefold_v1": NFKC_Casefold of the Unicode standard (section 3.13), white space rule of docs/recipe.md
  kLower,         ///< "nfkc_lower_v1": NFKC, then the default lower-case mapping; same white space rule
  kLowerCompact,  ///< "lower_compact_v1": the default lower-case mapping, all white space removed
  kNone,          ///< "none_v1": the text as it is, malformed UTF-8 aside
};
enum class TokenizerKind {
  kWords,        ///< "words_v1": runs of letters, marks and digits; every ideograph, kana and hangul syllable is a token
  kChars,        ///< "chars_v1": every code point is a token
  kJieba,        ///< "jieba_v1": Chinese words, those of jieba's accurate mode with HMM; white space is not a token
  kJiebaFull,    ///< "jieba_full_v1": those of its full mode
  kJiebaSearch,  ///< "jieba_search_v1": those of its search mode with HMM
};
enum class ShortText {
  kNone,   ///< fewer tokens than a shingle has: no features, matched by the exact hash only
  kWhole,  ///< fewer tokens than a shingle has: one shingle of all of them
};
enum class Weighting {
  kNone,           ///< every feature weighs 1
  kTf,             ///< "tf_v1": its number of occurrences
  kTfIdf,          ///< "tf_idf_v1": that times its IDF, of a table
  kJiebaKeywords,  ///< "jieba_keywords_v1": the keywords of jieba's extract_tags; the features are words, not shingles
};
enum class SketchKind {
  kMinHash,        ///< "minhash_v1"
  kSimHash,        ///< "simhash_v1"
  kPythonSimHash,  ///< "python_simhash_v1": the fingerprints of the Python package simhash 2.1.2
};
/// What a python_simhash_v1 is made of.
enum class PythonInput {
  kText,      ///< Simhash(text)
  kTokens,    ///< Simhash(tokens): the tokens of the recipe
  kKeywords,  ///< Simhash([(word, floor(weight * scale)), ...]): jieba's keywords
};
/// The scale of PythonInput::kKeywords.
enum class PythonScale {
  kKeywords,    ///< "keywords": the number of keywords
  kCharacters,  ///< "characters": the number of code points of the text
  kRaw,         ///< "raw": Simhash([(word, weight), ...]), the weights as floats
  kConstant,    ///< a number: Recipe::python_factor
};

struct Recipe {
  std::string name;                     ///< of the preset or the file; for people, not part of the id
  std::string clean = "[]";             ///< cleaners in their order, a JSON array; see docs/cleaning.md
  std::vector<std::string> line_lists;  ///< files where lines_v1 finds its lists
  NormalizerKind normalizer = NormalizerKind::kCasefold;
  bool fold_han = false;  ///< "han_fold": traditional characters become simplified ones
  TokenizerKind tokenizer = TokenizerKind::kWords;
  std::string dictionary;     ///< of jieba_*: a file; empty: the one that is installed
  std::string user_words;     ///< of jieba_*: a file of words to add, or empty
  std::string stop_words;     ///< a built-in list or a file, or empty
  std::string stemmer;        ///< a Snowball language, or empty
  uint32_t shingle_size = 5;  ///< tokens per shingle, 1..64
  ShortText short_text = ShortText::kNone;
  Weighting weighting = Weighting::kNone;
  uint32_t top_k = 0;         ///< the heaviest features only; 0: all
  std::string idf;            ///< of Weighting::kTfIdf: a file; "corpus": fitted on the corpus of the run
  uint32_t min_features = 1;  ///< fewer distinct features than this: exact hash only (law 5); 1..65535
  SketchKind sketch = SketchKind::kMinHash;
  uint32_t lanes = 128;  ///< of a MinHash: lanes of 32 bits, 1..4096
  uint64_t seed = 1;     ///< of the MinHash family; at most 2^53 so that any JSON reader keeps it
  uint32_t bits = 64;    ///< of a SimHash: 64 or 128
  PythonInput python_input = PythonInput::kText;
  PythonScale python_scale = PythonScale::kKeywords;
  double python_factor = 1;  ///< of PythonScale::kConstant; 10^-6 to 10^15

  /// What the files contain, by XXH3-64; 0: not used. Filled by resolve().
  struct Ids {
    uint64_t dictionary = 0;
    uint64_t user_words = 0;
    uint64_t stop_words = 0;
    uint64_t idf = 0;
    uint64_t han_fold = 0;
  } ids;

  /// Throws Error{kUsage} that names the field, the bound and the value, and Error{kInput} for files that cannot be read. Paths are
  /// relative to `folder`.
  static Recipe parse(std::string_view json, std::string_view name, const std::string& folder = {});
  /// A built-in preset ("words-5", "chars-5", ...), the JSON itself if it begins with a brace, or a file. Throws Error.
  static Recipe load(const std::string& name_or_path);
  static std::vector<std::string_view> preset_names();

  /// Throws Error{kUsage} unless all fields are within their bounds and go together. Recipes from parse() and load() are.
  void check() const;
  /// Reads what the files contain and fills `ids`. Recipes from parse() and load() are resolved; one that was changed has to be again.
  void resolve();

  [[nodiscard]] bool uses_jieba() const noexcept;
  [[nodiscard]] bool weighted() const noexcept { return weighting != Weighting::kNone; }
  [[nodiscard]] bool fingerprints() const noexcept { return sketch != SketchKind::kMinHash; }
  /// True if the IDF table is fitted on the corpus of the run; until then, ids.idf is 0.
  [[nodiscard]] bool needs_fitting() const noexcept { return weighting == Weighting::kTfIdf && idf == "corpus"; }

  [[nodiscard]] std::string canonical_json() const;
  [[nodiscard]] uint64_t id() const;
};

}  // namespace neardup
