// Recipe::parse: JSON to a recipe, with errors in the recipe's own terms.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <filesystem>
#include <optional>

#include "base/limits.h"
#include "neardup/error.h"
#include "sketch/recipe_bounds.h"
#include "sketch/recipe_names.h"
#include "text/clean/cleaner.h"
#include "text/normalize/unicode_version.h"

namespace neardup {
namespace {

namespace json = boost::json;
using namespace recipe_names;

// Reads the fields of one JSON object and complains about each that it does not know.
class Fields {
 public:
  Fields(const json::value& value, std::string_view recipe, std::string path) : recipe_(recipe), path_(std::move(path)) {
    if (!value.is_object()) {
      throw Error(ErrorCode::kUsage, path_.empty()
                                         ? fmt::format("recipe '{}': it is not a JSON object", recipe_)
                                         : fmt::format("recipe '{}': field '{}' must be a JSON object, not {}", recipe_,
                                                       std::string_view(path_).substr(0, path_.size() - 1), json::serialize(value)));
    }
    object_ = &value.get_object();
  }

  [[nodiscard]] bool has(std::string_view key) const { return object_->contains(key); }
  const json::value& at(std::string_view key) {
    const json::value* value = object_->if_contains(key);
    if (value == nullptr) throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': field '{}{}' is missing", recipe_, path_, key));
    known_.push_back(key);
    return *value;
  }
  uint64_t number(std::string_view key, uint64_t least, uint64_t most) {
    const json::value& value = at(key);
    const bool whole = value.is_int64() ? value.get_int64() >= 0 : value.is_uint64();
    const uint64_t number = whole ? value.to_number<uint64_t>() : 0;
    if (!whole || number < least || number > most) {
      throw wrong(key, fmt::format("a whole number from {} to {}", least, most), value);
    }
    return number;
  }
  std::string text(std::string_view key) {
    const json::value& value = at(key);
    if (!value.is_string() || value.get_string().empty()) throw wrong(key, "a name or a file", value);
    return std::string(value.get_string());
  }
  template <typename Kind, size_t N>
  Kind choice(std::string_view key, const std::array<Name<Kind>, N>& names) {
    const json::value& value = at(key);
    std::string known;
    for (const auto& name : names) {
      if (value.is_string() && std::string_view(value.get_string()) == name.name) return name.kind;
      known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", name.name);
    }
    throw wrong(key, "one of " + known, value);
  }
  [[nodiscard]] Error wrong(std::string_view key, std::string_view expected, const json::value& value) const {
    return {ErrorCode::kUsage,
            fmt::format("recipe '{}': field '{}{}' must be {}, not {}", recipe_, path_, key, expected, json::serialize(value))};
  }
  void finish() const {
    for (const auto& member : *object_) {
      if (std::ranges::find(known_, std::string_view(member.key())) == known_.end()) {
        throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': unknown field '{}{}'", recipe_, path_, std::string_view(member.key())));
      }
    }
  }

 private:
  const json::object* object_ = nullptr;
  std::string_view recipe_;
  std::string path_;
  std::vector<std::string_view> known_;
};

constexpr std::array kFixedHash{Name<int>{0, kFeatureHash}};

// 16 hexadecimal digits.
std::optional<uint64_t> parse_id(std::string_view text) {
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id, 16);
  if (text.size() != 16 || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return id;
}

// "simplified_v1", or that with the id of the table.
uint64_t parse_han_fold(std::string_view text, std::string_view recipe) {
  if (text == kHanFold) return 0;
  const size_t colon = text.find(':');
  const auto id = colon == std::string_view::npos ? std::nullopt : parse_id(text.substr(colon + 1));
  if (!id || text.substr(0, colon) != kHanFold) {
    throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': field 'han_fold' must be \"{}\", not \"{}\"", recipe, kHanFold, text));
  }
  return *id;
}

void parse_shingle(Fields fields, Recipe& recipe) {
  recipe.shingle_size = static_cast<uint32_t>(fields.number("size", 1, limits::kMaxShingle));
  recipe.short_text = fields.choice("short_text", kShortTexts);
  fields.finish();
}

void parse_weighting(Fields fields, Recipe& recipe) {
  recipe.weighting = fields.choice("kind", kWeightings);
  if (fields.has("top_k")) recipe.top_k = static_cast<uint32_t>(fields.number("top_k", 1, kMaxTopK));
  if (recipe.weighting == Weighting::kTfIdf) recipe.idf = fields.text("idf");
  fields.finish();
}

// A name, or the number itself.
void parse_scale(Fields& fields, Recipe& recipe) {
  const json::value& value = fields.at("scale");
  for (const auto& [scale, name] : kPythonScales) {
    if (!value.is_string() || std::string_view(value.get_string()) != name) continue;
    recipe.python_scale = scale;
    return;
  }
  // Boost.JSON may be wrong in the last places of a fraction; 15 digits of it are right, and more are not taken.
  double factor = value.is_number() ? value.to_number<double>() : 0;
  const std::string digits = fmt::format("{:.15g}", factor);
  std::from_chars(digits.data(), digits.data() + digits.size(), factor);
  if (!(factor >= kMinFactor && factor <= kMaxFactor)) {
    std::string names;
    for (const auto& [scale, name] : kPythonScales) names += fmt::format("\"{}\", ", name);
    throw fields.wrong("scale", fmt::format("{}or a number from {} to {}", names, number_text(kMinFactor), number_text(kMaxFactor)), value);
  }
  recipe.python_scale = PythonScale::kConstant;
  recipe.python_factor = factor;
}

void parse_sketch(Fields fields, Recipe& recipe) {
  recipe.sketch = fields.choice("kind", kSketches);
  if (recipe.sketch == SketchKind::kMinHash) {
    recipe.lanes = static_cast<uint32_t>(fields.number("lanes", 1, limits::kMaxLanes));
    recipe.seed = fields.number("seed", 0, kMaxSeed);
  } else {
    recipe.bits = static_cast<uint32_t>(fields.number("bits", 1, 128));
  }
  if (recipe.sketch == SketchKind::kPythonSimHash) {
    recipe.python_input = fields.choice("input", kPythonInputs);
    if (recipe.python_input == PythonInput::kKeywords) parse_scale(fields, recipe);
  }
  fields.finish();
}

}  // namespace

Recipe Recipe::parse(std::string_view text, std::string_view name, const std::string& folder) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error) throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': not JSON: {}", name, error.message()));

  Recipe recipe;
  recipe.name = name;
  Fields fields(value, name, "");
  const auto file = [&](std::string_view key) {
    const std::string path = fields.text(key);
    return (std::filesystem::path(folder) / path).string();
  };
  CleanerFiles cleaner_files;
  if (fields.has("line_lists")) {
    const json::value& lists = fields.at("line_lists");
    if (!lists.is_array()) throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': field 'line_lists' must be an array of files", name));
    for (const json::value& list : lists.get_array()) {
      if (!list.is_string()) throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': field 'line_lists' must be an array of files", name));
      cleaner_files.line_lists.push_back((std::filesystem::path(folder) / std::string(list.get_string())).string());
    }
  }
  if (fields.has("clean")) recipe.clean = CleanChain::parse(json::serialize(fields.at("clean")), cleaner_files).describe();
  recipe.line_lists = std::move(cleaner_files.line_lists);
  recipe.normalizer = fields.choice("normalizer", kNormalizers);
  // What is installed may be named by its id, as the canonical form does: the recipe then says that it must be just that.
  Recipe::Ids wanted;
  if (fields.has("han_fold")) {
    wanted.han_fold = parse_han_fold(fields.text("han_fold"), name);
    recipe.fold_han = true;
  }
  recipe.tokenizer = fields.choice("tokenizer", kTokenizers);
  if (fields.has("dictionary")) {
    const auto id = parse_id(fields.text("dictionary"));
    if (id) {
      wanted.dictionary = *id;
    } else {
      recipe.dictionary = file("dictionary");
    }
  }
  if (fields.has("user_words")) recipe.user_words = file("user_words");
  if (fields.has("stop_words")) {
    recipe.stop_words = fields.text("stop_words");
    if (const auto id = parse_id(recipe.stop_words)) {
      recipe.stop_words = stop_word_list_of(*id);
      if (recipe.stop_words.empty()) {
        throw Error(ErrorCode::kUsage,
                    fmt::format("recipe '{}': no built-in list of stop words has the id {:016x}; name the file", name, *id));
      }
    } else if (!is_stop_word_list(recipe.stop_words)) {
      recipe.stop_words = file("stop_words");
    }
  }
  if (fields.has("unicode")) {
    const std::string unicode = fields.text("unicode");
    if (unicode != unicode_version()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("recipe '{}' was made for Unicode {}; this build has Unicode {}", name, unicode, unicode_version()));
    }
  }
  if (fields.has("stemmer")) recipe.stemmer = fields.text("stemmer");
  recipe.min_features = static_cast<uint32_t>(fields.number("min_features", 1, kMaxMinFeatures));
  fields.choice("feature_hash", kFixedHash);
  parse_shingle(Fields(fields.at("shingle"), name, "shingle."), recipe);
  if (fields.has("weighting")) parse_weighting(Fields(fields.at("weighting"), name, "weighting."), recipe);
  if (!recipe.idf.empty() && recipe.idf != "corpus") recipe.idf = (std::filesystem::path(folder) / recipe.idf).string();
  parse_sketch(Fields(fields.at("sketch"), name, "sketch."), recipe);
  fields.finish();
  recipe.check();
  recipe.resolve();
  const auto expect = [&](std::string_view what, uint64_t expected, uint64_t found) {
    if (expected == 0 || expected == found) return;
    throw Error(ErrorCode::kUsage, fmt::format("recipe '{}' was made for the {} {:016x}; here it is {:016x}", name, what, expected, found));
  };
  expect("dictionary", wanted.dictionary, recipe.ids.dictionary);
  expect("folding table", wanted.han_fold, recipe.ids.han_fold);
  return recipe;
}

}  // namespace neardup
