#include "neardup/recipe.h"
#include "base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <filesystem>

#include "base/hash.h"
#include "base/limits.h"
#include "base/open_file.h"
#include "neardup/error.h"
#include "sketch/presets.h"
#include "sketch/recipe_bounds.h"
#include "sketch/recipe_names.h"
#include "text/normalize/unicode_version.h"

namespace neardup {

using namespace recipe_names;

// The shortest decimal that reads as this double again, without an exponent: 200, 0.5, 0.000001.
std::string number_text(double value) {
  std::array<char, 64> text;
  const auto made = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  return {text.data(), made.ptr};
}

Recipe Recipe::load(const std::string& name_or_path) {
  if (name_or_path.starts_with('{')) return parse(name_or_path, "inline");
  for (const Preset& preset : presets()) {
    if (preset.name == name_or_path) return parse(preset.json, preset.name);
  }
  const PathKind kind = path_kind(name_or_path);
  if (kind == PathKind::kFolder) throw Error(ErrorCode::kUsage, fmt::format("recipe '{}' is a folder", name_or_path));
  if (kind == PathKind::kMissing) {
    std::string names;
    for (const std::string_view name : preset_names()) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    throw Error(ErrorCode::kUsage, fmt::format("recipe '{}' is neither a preset ({}) nor a readable file", name_or_path, names));
  }
  return parse(read_file(name_or_path, Allow::kRegular, "read the recipe"), name_or_path,
               std::filesystem::path(name_or_path).parent_path().string());
}

std::vector<std::string_view> Recipe::preset_names() {
  std::vector<std::string_view> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

void Recipe::check() const {
  const auto within = [&](std::string_view field, uint64_t value, uint64_t least, uint64_t most) {
    if (value >= least && value <= most) return;
    throw Error(ErrorCode::kUsage,
                fmt::format("recipe '{}': field '{}' must be a whole number from {} to {}, not {}", name, field, least, most, value));
  };
  const auto needs = [&](bool holds, std::string_view what) {
    if (!holds) throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': {}", name, what));
  };
  within("normalizer", static_cast<uint64_t>(normalizer), 0, kNormalizers.size() - 1);
  within("tokenizer", static_cast<uint64_t>(tokenizer), 0, kTokenizers.size() - 1);
  within("shingle.short_text", static_cast<uint64_t>(short_text), 0, kShortTexts.size() - 1);
  within("shingle.size", shingle_size, 1, limits::kMaxShingle);
  within("min_features", min_features, 1, kMaxMinFeatures);
  within("weighting.kind", static_cast<uint64_t>(weighting), 0, kWeightings.size() - 1);
  within("weighting.top_k", top_k, 0, kMaxTopK);
  within("sketch.kind", static_cast<uint64_t>(sketch), 0, kSketches.size() - 1);
  within("sketch.input", static_cast<uint64_t>(python_input), 0, kPythonInputs.size() - 1);
  within("sketch.scale", static_cast<uint64_t>(python_scale), 0, kPythonScales.size());
  needs(python_factor >= kMinFactor && python_factor <= kMaxFactor,
        fmt::format("field 'sketch.scale' must be a number from {} to {}, not {}", number_text(kMinFactor), number_text(kMaxFactor),
                    python_factor));
  within("sketch.lanes", lanes, 1, limits::kMaxLanes);
  within("sketch.seed", seed, 0, kMaxSeed);
  needs(bits == 64 || bits == 128, fmt::format("field 'sketch.bits' must be 64 or 128, not {}", bits));
  const bool keywords = sketch == SketchKind::kPythonSimHash && python_input == PythonInput::kKeywords;
  needs((dictionary.empty() && user_words.empty()) || uses_jieba(),
        "fields 'dictionary' and 'user_words' go with a jieba tokenizer or jieba_keywords_v1");
  needs(weighting != Weighting::kJiebaKeywords || tokenizer == TokenizerKind::kJieba, "jieba_keywords_v1 needs the tokenizer jieba_v1");
  needs(weighting != Weighting::kJiebaKeywords || shingle_size == 1, "jieba_keywords_v1 weighs words: field 'shingle.size' must be 1");
  needs(weighting != Weighting::kJiebaKeywords || stemmer.empty(), "jieba_keywords_v1 cannot be combined with a stemmer");
  needs(!keywords || weighting == Weighting::kJiebaKeywords, "python_simhash_v1 of keywords needs the weighting jieba_keywords_v1");
  needs((weighting == Weighting::kTfIdf) == !idf.empty(), "field 'weighting.idf' is required by tf_idf_v1, and allowed only there");
  needs(weighting != Weighting::kTfIdf || shingle_size == 1, "tf_idf_v1 weighs tokens: field 'shingle.size' must be 1");
  needs(top_k == 0 || weighted(), "field 'weighting.top_k' needs a weighting other than none");
  needs(!weighted() || fingerprints(), "a MinHash takes features without weights: field 'weighting.kind' must be none");
  needs(weighting == Weighting::kJiebaKeywords || sketch != SketchKind::kPythonSimHash || !weighted(),
        "python_simhash_v1 takes text, tokens or jieba_keywords_v1");
}

// Members in alphabetical order; what has its default is left out, so that recipes of before the member keep their id.
std::string canonical_json_under(const Recipe& recipe, std::string_view unicode) {
  std::string text = "{";
  const auto member = [&](std::string_view key, std::string_view json) {
    append_format(text, "{}\"{}\":{}", text.size() == 1 ? "" : ",", key, json);
  };
  const auto quoted = [](std::string_view value) { return fmt::format("\"{}\"", value); };
  const auto id_of = [](uint64_t id) { return fmt::format("\"{:016x}\"", id); };
  if (recipe.clean != "[]") member("clean", recipe.clean);
  if (recipe.uses_jieba()) member("dictionary", id_of(recipe.ids.dictionary));
  member("feature_hash", quoted(kFeatureHash));
  if (recipe.fold_han) member("han_fold", fmt::format("\"{}:{:016x}\"", kHanFold, recipe.ids.han_fold));
  member("min_features", fmt::format("{}", recipe.min_features));
  member("normalizer", quoted(name_of(kNormalizers, recipe.normalizer)));
  member("shingle", fmt::format(R"({{"short_text":"{}","size":{}}})", name_of(kShortTexts, recipe.short_text), recipe.shingle_size));
  if (recipe.sketch == SketchKind::kMinHash) {
    member("sketch", fmt::format(R"({{"kind":"{}","lanes":{},"seed":{}}})", name_of(kSketches, recipe.sketch), recipe.lanes, recipe.seed));
  } else if (recipe.sketch == SketchKind::kSimHash) {
    member("sketch", fmt::format(R"({{"bits":{},"kind":"{}"}})", recipe.bits, name_of(kSketches, recipe.sketch)));
  } else {
    const bool scaled = recipe.python_input == PythonInput::kKeywords;
    const std::string value = recipe.python_scale == PythonScale::kConstant ? number_text(recipe.python_factor)
                                                                            : quoted(name_of(kPythonScales, recipe.python_scale));
    const std::string scale = scaled ? fmt::format(R"(,"scale":{})", value) : "";
    member("sketch", fmt::format(R"({{"bits":{},"input":"{}","kind":"{}"{}}})", recipe.bits, name_of(kPythonInputs, recipe.python_input),
                                 name_of(kSketches, recipe.sketch), scale));
  }
  if (!recipe.stemmer.empty()) member("stemmer", quoted(recipe.stemmer));
  if (!recipe.stop_words.empty()) member("stop_words", id_of(recipe.ids.stop_words));
  member("tokenizer", quoted(name_of(kTokenizers, recipe.tokenizer)));
  if (unicode != kDefaultUnicode) member("unicode", quoted(unicode));
  if (!recipe.user_words.empty()) member("user_words", id_of(recipe.ids.user_words));
  if (recipe.weighted()) {
    const std::string table = recipe.weighting != Weighting::kTfIdf
                                  ? ""
                                  : fmt::format(R"("idf":{},)", recipe.ids.idf == 0 ? "\"corpus\"" : id_of(recipe.ids.idf));
    const std::string top = recipe.top_k == 0 ? "" : fmt::format(R"(,"top_k":{})", recipe.top_k);
    member("weighting", fmt::format(R"({{{}"kind":"{}"{}}})", table, name_of(kWeightings, recipe.weighting), top));
  }
  return text + "}";
}

std::string Recipe::canonical_json() const {
  return canonical_json_under(*this, unicode_version());
}

std::string unicode_of(std::string_view canonical_json) {
  boost::system::error_code error;
  const auto recipe = boost::json::parse({canonical_json.data(), canonical_json.size()}, error);
  const auto* const unicode = recipe.is_object() ? recipe.get_object().if_contains("unicode") : nullptr;
  const bool named = unicode != nullptr && unicode->is_string();
  return std::string(named ? std::string_view(unicode->get_string()) : kDefaultUnicode);
}

bool Recipe::uses_jieba() const noexcept {
  return tokenizer == TokenizerKind::kJieba || tokenizer == TokenizerKind::kJiebaFull || tokenizer == TokenizerKind::kJiebaSearch;
}

uint64_t Recipe::id() const {
  return hash64(canonical_json());
}

}  // namespace neardup
