#include "sketch/canonical_recipe.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <charconv>

#include "base/format.h"
#include "text/utf8/code_points.h"

namespace neardup {

using namespace recipe_names;

namespace {

// Only what differs from the default.
std::string canonical_code(const CodeTokens& code) {
  std::string text;
  const auto member = [&](std::string_view key, std::string_view value) {
    append_format(text, "{}\"{}\":\"{}\"", text.empty() ? "{" : ",", key, value);
  };
  if (code.keep_comments) member("comments", name_of(kCommentChoices, true));
  if (code.normalize_identifiers) member("identifiers", name_of(kCodeChoices, true));
  if (code.normalize_numbers) member("numbers", name_of(kCodeChoices, true));
  if (code.normalize_strings) member("strings", name_of(kCodeChoices, true));
  return text + "}";
}

}  // namespace

std::string canonical_json_under(const Recipe& recipe, std::string_view unicode) {
  std::string text = "{";
  const auto member = [&](std::string_view key, std::string_view json) {
    append_format(text, "{}\"{}\":{}", text.size() == 1 ? "" : ",", key, json);
  };
  const auto quoted = [](std::string_view value) { return fmt::format("\"{}\"", value); };
  const auto id_of = [](uint64_t id) { return fmt::format("\"{:016x}\"", id); };
  if (recipe.numbers_agree) member("agree", quoted(kAgree));
  if (recipe.clean != "[]") member("clean", recipe.clean);
  if (recipe.code != CodeTokens{}) member("code", canonical_code(recipe.code));
  if (recipe.uses_jieba()) member("dictionary", id_of(recipe.ids.dictionary));
  member("feature_hash", quoted(kFeatureHash));
  if (recipe.fold_han) member("han_fold", fmt::format("\"{}:{:016x}\"", kHanFold, recipe.ids.han_fold));
  member("min_features", fmt::format("{}", recipe.min_features));
  member("normalizer", quoted(name_of(kNormalizers, recipe.normalizer)));
  member("shingle", fmt::format(R"({{"short_text":"{}","size":{}}})", name_of(kShortTexts, recipe.short_text), recipe.shingle_size));
  if (!recipe.fingerprints()) {
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

std::string json_with_files(const Recipe& recipe) {
  boost::json::object json = boost::json::parse(recipe.canonical_json()).as_object();
  if (!recipe.dictionary.empty()) json["dictionary"] = recipe.dictionary;
  if (!recipe.user_words.empty()) json["user_words"] = recipe.user_words;
  if (!recipe.stop_words.empty()) json["stop_words"] = recipe.stop_words;
  if (!recipe.line_lists.empty()) json["line_lists"] = boost::json::value_from(recipe.line_lists);
  if (!recipe.idf.empty()) json["weighting"].as_object()["idf"] = recipe.idf;
  return boost::json::serialize(json);
}

std::string unicode_of(std::string_view canonical_json) {
  boost::system::error_code error;
  const auto recipe = boost::json::parse({canonical_json.data(), canonical_json.size()}, error);
  const auto* const unicode = recipe.is_object() ? recipe.get_object().if_contains("unicode") : nullptr;
  const bool named = unicode != nullptr && unicode->is_string();
  return std::string(named ? std::string_view(unicode->get_string()) : kDefaultUnicode);
}

std::string number_text(double value) {
  std::array<char, 64> text;
  const auto made = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  return {text.data(), made.ptr};
}

}  // namespace neardup
