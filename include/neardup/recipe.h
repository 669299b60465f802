// Recipe: everything that determines how a text becomes features and a sketch.
//
// A recipe is a small JSON object. Equal ids mean equal sketches: the id is XXH3-64 of the canonical JSON (sorted keys, no white space,
// members with their default left out; the name is not part of it). Files that a recipe uses (a dictionary, stop words, an IDF table) are
// named by path; the canonical form has the ids of their contents instead. docs/recipe.md defines every field to the byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/tools/recipe_kinds.h"

namespace neardup {

struct Recipe {
  std::string name;                     ///< of the preset or the file; for people, not part of the id
  std::string clean = "[]";             ///< cleaners in their order, a JSON array; see docs/cleaning.md
  std::vector<std::string> line_lists;  ///< files where lines_v1 finds its lists
  NormalizerKind normalizer = NormalizerKind::kCasefold;
  bool fold_han = false;  ///< "han_fold": traditional characters become simplified ones
  TokenizerKind tokenizer = TokenizerKind::kWords;
  CodeTokens code;            ///< of code_v1
  std::string dictionary;     ///< of jieba_*: a file; empty: the one that is installed
  std::string user_words;     ///< of jieba_*: a file of words to add, or empty
  std::string stop_words;     ///< a built-in list or a file, or empty
  std::string stemmer;        ///< a Snowball language, or empty
  uint32_t shingle_size = 5;  ///< tokens per shingle, 1..64
  ShortText short_text = ShortText::kNone;
  bool numbers_agree = false;  ///< "agree": two texts match only if they have the same numbers
  Weighting weighting = Weighting::kNone;
  uint32_t top_k = 0;         ///< the heaviest features only; 0: all
  std::string idf;            ///< of Weighting::kTfIdf: a file; "corpus": fitted on the corpus of the run
  uint32_t min_features = 1;  ///< fewer distinct features than this: exact hash only; 1..65535
  SketchKind sketch = SketchKind::kMinHash;
  uint32_t lanes = 128;  ///< of a MinHash: lanes of 32 bits, 1..4096
  uint64_t seed = 1;     ///< of the MinHash family; at most 2^53 so that any JSON reader keeps it
  uint32_t bits = 64;    ///< of a SimHash: 64 or 128
  PythonInput python_input = PythonInput::kText;
  PythonScale python_scale = PythonScale::kKeywords;
  double python_factor = 1;  ///< of PythonScale::kConstant; 10^-6 to 10^15

  /// XXH3-64 of the contents of the files; 0: not used. Filled by resolve().
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

  /// Throws Error{kUsage} unless all fields are within their bounds and consistent. Recipes from parse() and load() are.
  void check() const;
  /// Reads the files and fills `ids`. Recipes from parse() and load() are resolved; a changed one must be resolved again.
  void resolve();

  [[nodiscard]] bool uses_jieba() const noexcept;
  [[nodiscard]] bool weighted() const noexcept { return weighting != Weighting::kNone; }
  [[nodiscard]] bool fingerprints() const noexcept { return sketch != SketchKind::kMinHash && sketch != SketchKind::kMinHashV2; }
  /// True if the IDF table is fitted on the corpus of the run; until then, ids.idf is 0.
  [[nodiscard]] bool needs_fitting() const noexcept { return weighting == Weighting::kTfIdf && idf == "corpus"; }

  [[nodiscard]] std::string canonical_json() const;
  [[nodiscard]] uint64_t id() const;
};

}  // namespace neardup
