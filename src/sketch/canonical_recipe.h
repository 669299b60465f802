// How a recipe is written in JSON: the names of its choices, and its canonical form, whose hash is the id.
//
// The tables of recipe_names are the only place where these names are written; the order is that of the enumeration. docs/recipe.md defines
// the form to the byte. Pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "neardup/recipe.h"

namespace neardup {

/// Recipe::canonical_json() of a build with this version of Unicode (text/utf8/code_points.h): members in alphabetical order; members with
/// their default are left out, so that recipes older than the member keep their id.
std::string canonical_json_under(const Recipe& recipe, std::string_view unicode);
/// The recipe for Recipe::parse(), which makes it again, but for its name: the canonical form with the paths of files in place of the ids
/// of their contents.
std::string json_with_files(const Recipe& recipe);
/// The version of Unicode that a canonical form was made under.
std::string unicode_of(std::string_view canonical_json);
/// A number of a recipe in its canonical form: the shortest decimal that reads as this double again, without an exponent: 200, 0.5,
/// 0.000001.
std::string number_text(double value);

namespace recipe_names {

template <typename Kind>
struct Name {
  Kind kind;
  std::string_view name;
};

inline constexpr std::array kNormalizers{
    Name<NormalizerKind>{NormalizerKind::kCasefold, "nfkc_casefold_v1"}, Name<NormalizerKind>{NormalizerKind::kLower, "nfkc_lower_v1"},
    Name<NormalizerKind>{NormalizerKind::kLowerCompact, "lower_compact_v1"}, Name<NormalizerKind>{NormalizerKind::kNone, "none_v1"}};
inline constexpr std::array kTokenizers{Name<TokenizerKind>{TokenizerKind::kWords, "words_v1"},
                                        Name<TokenizerKind>{TokenizerKind::kChars, "chars_v1"},
                                        Name<TokenizerKind>{TokenizerKind::kJieba, "jieba_v1"},
                                        Name<TokenizerKind>{TokenizerKind::kJiebaFull, "jieba_full_v1"},
                                        Name<TokenizerKind>{TokenizerKind::kJiebaSearch, "jieba_search_v1"},
                                        Name<TokenizerKind>{TokenizerKind::kCode, "code_v1"}};
inline constexpr std::array kCommentChoices{Name<bool>{false, "drop"}, Name<bool>{true, "keep"}};
inline constexpr std::array kCodeChoices{Name<bool>{false, "keep"}, Name<bool>{true, "normalize"}};  // of names, numbers and strings
inline constexpr std::array kShortTexts{Name<ShortText>{ShortText::kNone, "none"}, Name<ShortText>{ShortText::kWhole, "whole"}};
inline constexpr std::array kWeightings{Name<Weighting>{Weighting::kNone, "none"}, Name<Weighting>{Weighting::kTf, "tf_v1"},
                                        Name<Weighting>{Weighting::kTfIdf, "tf_idf_v1"},
                                        Name<Weighting>{Weighting::kJiebaKeywords, "jieba_keywords_v1"}};
inline constexpr std::array kSketches{
    Name<SketchKind>{SketchKind::kMinHash, "minhash_v1"}, Name<SketchKind>{SketchKind::kSimHash, "simhash_v1"},
    Name<SketchKind>{SketchKind::kPythonSimHash, "python_simhash_v1"}, Name<SketchKind>{SketchKind::kMinHashV2, "minhash_v2"}};
inline constexpr std::array kPythonInputs{Name<PythonInput>{PythonInput::kText, "text"}, Name<PythonInput>{PythonInput::kTokens, "tokens"},
                                          Name<PythonInput>{PythonInput::kKeywords, "keywords"}};
inline constexpr std::array kPythonScales{Name<PythonScale>{PythonScale::kKeywords, "keywords"},
                                          Name<PythonScale>{PythonScale::kCharacters, "characters"},
                                          Name<PythonScale>{PythonScale::kRaw, "raw"}};
inline constexpr std::string_view kFeatureHash = "xxh3_64_v1";
inline constexpr std::string_view kAgree = "numbers_v1";
inline constexpr std::string_view kHanFold = "simplified_v1";

template <typename Kind, size_t N>
std::string_view name_of(const std::array<Name<Kind>, N>& names, Kind kind) {
  return std::ranges::find(names, kind, &Name<Kind>::kind)->name;
}

}  // namespace recipe_names
}  // namespace neardup
