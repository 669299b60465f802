#include "neardup/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/limits.h"
#include "base/open_file.h"
#include "features/document_frequency.h"
#include "neardup/error.h"
#include "sketch/canonical_recipe.h"
#include "sketch/presets.h"
#include "text/clean/cleaner.h"
#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/dictionary/jieba_sources.h"
#include "text/normalize/han_fold.h"
#include "text/tokens/stemmer.h"
#include "text/tokens/stop_words.h"
#include "text/utf8/code_points.h"

namespace neardup {
namespace {

namespace json = boost::json;
using namespace recipe_names;

// The bounds of fields that are not limits of the whole engine.
constexpr uint64_t kMaxSeed = uint64_t{1} << 53;
constexpr uint64_t kMaxMinFeatures = 65535;
constexpr uint64_t kMaxTopK = 1'000'000;
constexpr double kMinFactor = 1e-6;  // of sketch.scale
constexpr double kMaxFactor = 1e15;  // and 15 significant digits

// Reads the fields of one JSON object and rejects unknown ones.
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
  uint64_t number(std::string_view key, uint64_t min, uint64_t max) {
    const json::value& value = at(key);
    const bool whole = value.is_int64() ? value.get_int64() >= 0 : value.is_uint64();
    const uint64_t number = whole ? value.to_number<uint64_t>() : 0;
    if (!whole || number < min || number > max) {
      throw wrong(key, fmt::format("a whole number from {} to {}", min, max), value);
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

// True if the name is that of a built-in list of stop words.
bool is_stop_word_list(std::string_view name) {
  for (const std::string_view known : StopWords::built_in_names()) {
    if (known == name) return true;
  }
  return false;
}

// The name of the built-in list with this id, or nothing.
std::string stop_word_list_of(uint64_t id) {
  for (const std::string_view name : StopWords::built_in_names()) {
    if (StopWords::load(std::string(name)).id() == id) return std::string(name);
  }
  return {};
}

constexpr std::array kAgreements{Name<bool>{true, kAgree}};
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

void parse_code(Fields fields, CodeTokens& code) {
  if (fields.has("comments")) code.keep_comments = fields.choice("comments", kCommentChoices);
  if (fields.has("identifiers")) code.normalize_identifiers = fields.choice("identifiers", kCodeChoices);
  if (fields.has("numbers")) code.normalize_numbers = fields.choice("numbers", kCodeChoices);
  if (fields.has("strings")) code.normalize_strings = fields.choice("strings", kCodeChoices);
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
  // Boost.JSON may be wrong in the last digits of a fraction; the first 15 are right, and more are not accepted.
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
  if (!recipe.fingerprints()) {
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
  // An installed file may be named by its id, as in the canonical form: the recipe then requires exactly that file.
  Recipe::Ids wanted;
  if (fields.has("han_fold")) {
    wanted.han_fold = parse_han_fold(fields.text("han_fold"), name);
    recipe.fold_han = true;
  }
  recipe.tokenizer = fields.choice("tokenizer", kTokenizers);
  if (fields.has("agree")) recipe.numbers_agree = fields.choice("agree", kAgreements);
  if (fields.has("code")) parse_code(Fields(fields.at("code"), name, "code."), recipe.code);
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

void Recipe::check() const {
  const auto within = [&](std::string_view field, uint64_t value, uint64_t min, uint64_t max) {
    if (value >= min && value <= max) return;
    throw Error(ErrorCode::kUsage,
                fmt::format("recipe '{}': field '{}' must be a whole number from {} to {}, not {}", name, field, min, max, value));
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
        "fields 'dictionary' and 'user_words' require a jieba tokenizer or jieba_keywords_v1");
  needs(!numbers_agree || !fingerprints(), "field 'agree' requires the sketch minhash_v1 or minhash_v2: it decides by features");
  needs(code == CodeTokens{} || tokenizer == TokenizerKind::kCode, "field 'code' requires the tokenizer code_v1");
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

// The ids of the files that a recipe names.
void Recipe::resolve() {
  ids = {};
  if (!stemmer.empty()) static_cast<void>(Stemmer(stemmer));  // throws for a language that is unknown
  if (uses_jieba()) ids.dictionary = JiebaDictionary::open_shared(dictionary.empty() ? find_jieba_dictionary() : dictionary)->id();
  if (!user_words.empty()) ids.user_words = hash64(read_file(user_words, Allow::kRegular, "read the user words", jieba::kMaxSourceBytes));
  if (!stop_words.empty()) ids.stop_words = StopWords::load(stop_words).id();
  if (fold_han) ids.han_fold = HanFold::traditional_to_simplified().id();
  if (!idf.empty() && !needs_fitting()) {
    const DocumentFrequencyTable table = DocumentFrequencyTable::open(idf);
    const std::string tokens = frequency_description(canonical_json());
    if (table.description() != tokens) {
      throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': the table '{}' was fitted on other tokens: {}, not {}", name, idf,
                                                 table.description(), tokens));
    }
    ids.idf = table.id();
  }
}

std::string Recipe::canonical_json() const {
  return canonical_json_under(*this, unicode_version());
}

bool Recipe::uses_jieba() const noexcept {
  return tokenizer == TokenizerKind::kJieba || tokenizer == TokenizerKind::kJiebaFull || tokenizer == TokenizerKind::kJiebaSearch;
}

uint64_t Recipe::id() const {
  return hash64(canonical_json());
}

}  // namespace neardup
