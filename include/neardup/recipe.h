// Recipe: everything that determines how a text becomes features and a sketch.
//
// A recipe is a small JSON object. Equal ids mean equal sketches: the id is XXH3-64 of the canonical JSON (all fields, sorted
// keys, no white space; the name is not part of it). docs/recipe.md defines every field to the byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

enum class NormalizerKind {
  kCasefold,  ///< "nfkc_casefold_v1": NFKC_Casefold of the Unicode standard (section 3.13), white space rule of docs/recipe.md
  kLower,     ///< "nfkc_lower_v1": NFKC, then the default lower-case mapping; same white space rule
};
enum class TokenizerKind {
  kWords,  ///< "words_v1": runs of letters, marks and digits; every ideograph, kana and hangul syllable is a token
  kChars,  ///< "chars_v1": every code point is a token
};
enum class ShortText {
  kNone,   ///< fewer tokens than a shingle has: no features, matched by the exact hash only
  kWhole,  ///< fewer tokens than a shingle has: one shingle of all of them
};

struct Recipe {
  std::string name;  ///< of the preset or the file; for people, not part of the id
  NormalizerKind normalizer = NormalizerKind::kCasefold;
  TokenizerKind tokenizer = TokenizerKind::kWords;
  uint32_t shingle_size = 5;  ///< tokens per shingle, 1..64
  ShortText short_text = ShortText::kNone;
  uint32_t min_features = 1;  ///< fewer distinct features than this: exact hash only (law 5); 1..65535
  uint32_t lanes = 128;       ///< MinHash lanes of 32 bits, 1..4096
  uint64_t seed = 1;          ///< of the MinHash family; at most 2^53 so that any JSON reader keeps it

  /// Throws Error{kUsage} that names the field, the bound and the value.
  static Recipe parse(std::string_view json, std::string_view name);
  /// A built-in preset ("words-5", "chars-5") or, if `name` is none of them, a file. Throws Error.
  static Recipe load(const std::string& name_or_path);
  static std::vector<std::string_view> preset_names();

  /// Throws Error{kUsage} unless all fields are within their bounds. Recipes from parse() and load() are.
  void check() const;

  [[nodiscard]] std::string canonical_json() const;
  [[nodiscard]] uint64_t id() const;
};

}  // namespace neardup
