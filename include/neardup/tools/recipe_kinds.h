// The choices of a recipe: normalizers, tokenizers, weightings and sketches. docs/recipe.md defines each.
#pragma once

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
  kCode,         ///< "code_v1": source code: names, numbers, strings, and every other code point but white space
};
/// The choices of "code_v1".
struct CodeTokens {
  bool keep_comments = false;          ///< the words of comments are tokens; else comments are left out
  bool normalize_identifiers = false;  ///< one token for all names but keywords
  bool normalize_numbers = false;      ///< one token for all numbers
  bool normalize_strings = false;      ///< one token for all string literals
  friend bool operator==(const CodeTokens&, const CodeTokens&) = default;
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
  kMinHashV2,      ///< "minhash_v2": a MinHash by one permutation, which takes a hash per feature instead of one per feature and lane
};
/// The input of a python_simhash_v1.
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

}  // namespace neardup
