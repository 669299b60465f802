// How the choices of a recipe are written in JSON. Each table is the one place for its names; the order is that of the enumeration.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "neardup/recipe.h"

namespace neardup::recipe_names {

template <typename Kind>
struct Name {
  Kind kind;
  std::string_view name;
};

inline constexpr std::array kNormalizers{
    Name<NormalizerKind>{NormalizerKind::kCasefold, "nfkc_casefold_v1"}, Name<NormalizerKind>{NormalizerKind::kLower, "nfkc_lower_v1"},
    Name<NormalizerKind>{NormalizerKind::kLowerCompact, "lower_compact_v1"}, Name<NormalizerKind>{NormalizerKind::kNone, "none_v1"}};
inline constexpr std::array kTokenizers{
    Name<TokenizerKind>{TokenizerKind::kWords, "words_v1"}, Name<TokenizerKind>{TokenizerKind::kChars, "chars_v1"},
    Name<TokenizerKind>{TokenizerKind::kJieba, "jieba_v1"}, Name<TokenizerKind>{TokenizerKind::kJiebaFull, "jieba_full_v1"},
    Name<TokenizerKind>{TokenizerKind::kJiebaSearch, "jieba_search_v1"}};
inline constexpr std::array kShortTexts{Name<ShortText>{ShortText::kNone, "none"}, Name<ShortText>{ShortText::kWhole, "whole"}};
inline constexpr std::array kWeightings{Name<Weighting>{Weighting::kNone, "none"}, Name<Weighting>{Weighting::kTf, "tf_v1"},
                                        Name<Weighting>{Weighting::kTfIdf, "tf_idf_v1"},
                                        Name<Weighting>{Weighting::kJiebaKeywords, "jieba_keywords_v1"}};
inline constexpr std::array kSketches{Name<SketchKind>{SketchKind::kMinHash, "minhash_v1"},
                                      Name<SketchKind>{SketchKind::kSimHash, "simhash_v1"},
                                      Name<SketchKind>{SketchKind::kPythonSimHash, "python_simhash_v1"}};
inline constexpr std::array kPythonInputs{Name<PythonInput>{PythonInput::kText, "text"}, Name<PythonInput>{PythonInput::kTokens, "tokens"},
                                          Name<PythonInput>{PythonInput::kKeywords, "keywords"}};
inline constexpr std::array kPythonScales{Name<PythonScale>{PythonScale::kKeywords, "keywords"},
                                          Name<PythonScale>{PythonScale::kCharacters, "characters"},
                                          Name<PythonScale>{PythonScale::kRaw, "raw"}};
inline constexpr std::string_view kFeatureHash = "xxh3_64_v1";
inline constexpr std::string_view kHanFold = "simplified_v1";

template <typename Kind, size_t N>
std::string_view name_of(const std::array<Name<Kind>, N>& names, Kind kind) {
  return std::ranges::find(names, kind, &Name<Kind>::kind)->name;
}

}  // namespace neardup::recipe_names
