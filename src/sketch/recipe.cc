#include "neardup/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/hash.h"
#include "base/limits.h"
#include "neardup/error.h"
#include "sketch/presets.h"

namespace neardup {
namespace {

namespace json = boost::json;

template <typename Kind>
struct Name {
  Kind kind;
  std::string_view name;
};
constexpr std::array kNormalizers{Name<NormalizerKind>{NormalizerKind::kCasefold, "nfkc_casefold_v1"},
                                  Name<NormalizerKind>{NormalizerKind::kLower, "nfkc_lower_v1"}};
constexpr std::array kTokenizers{Name<TokenizerKind>{TokenizerKind::kWords, "words_v1"},
                                 Name<TokenizerKind>{TokenizerKind::kChars, "chars_v1"}};
constexpr std::array kShortTexts{Name<ShortText>{ShortText::kNone, "none"}, Name<ShortText>{ShortText::kWhole, "whole"}};
constexpr std::string_view kFeatureHash = "xxh3_64_v1";
constexpr std::string_view kSketchKind = "minhash_v1";
constexpr uint64_t kMaxSeed = uint64_t{1} << 53;
constexpr uint64_t kMaxMinFeatures = 65535;

template <typename Kind, size_t N>
std::string_view name_of(const std::array<Name<Kind>, N>& names, Kind kind) {
  return std::ranges::find(names, kind, &Name<Kind>::kind)->name;
}

// Reads the fields of one JSON object and complains about each that it does not know, in the recipe's own terms.
class Fields {
 public:
  Fields(const json::value& value, std::string_view recipe, std::string path) : recipe_(recipe), path_(std::move(path)) {
    if (!value.is_object()) fail("is not a JSON object");
    object_ = &value.get_object();
  }

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
      throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': field '{}{}' must be a whole number from {} to {}, not {}", recipe_, path_,
                                                 key, least, most, json::serialize(value)));
    }
    return number;
  }
  template <typename Kind, size_t N>
  Kind choice(std::string_view key, const std::array<Name<Kind>, N>& names) {
    const json::value& value = at(key);
    std::string known;
    for (const auto& name : names) {
      if (value.is_string() && std::string_view(value.get_string()) == name.name) return name.kind;
      known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", name.name);
    }
    throw Error(ErrorCode::kUsage,
                fmt::format("recipe '{}': field '{}{}' must be one of {}, not {}", recipe_, path_, key, known, json::serialize(value)));
  }
  void finish() const {
    for (const auto& member : *object_) {
      if (std::ranges::find(known_, std::string_view(member.key())) == known_.end()) {
        throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': unknown field '{}{}'", recipe_, path_, std::string_view(member.key())));
      }
    }
  }

 private:
  [[noreturn]] void fail(std::string_view why) const {
    throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': {}{}", recipe_, path_.empty() ? "it " : "'" + path_ + "' ", why));
  }

  const json::object* object_ = nullptr;
  std::string_view recipe_;
  std::string path_;
  std::vector<std::string_view> known_;
};

constexpr std::array kFixedHash{Name<int>{0, kFeatureHash}};
constexpr std::array kFixedSketch{Name<int>{0, kSketchKind}};

}  // namespace

Recipe Recipe::parse(std::string_view text, std::string_view name) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error) throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': not JSON: {}", name, error.message()));

  Recipe recipe;
  recipe.name = name;
  Fields fields(value, name, "");
  recipe.normalizer = fields.choice("normalizer", kNormalizers);
  recipe.tokenizer = fields.choice("tokenizer", kTokenizers);
  recipe.min_features = static_cast<uint32_t>(fields.number("min_features", 1, kMaxMinFeatures));
  fields.choice("feature_hash", kFixedHash);

  Fields shingle(fields.at("shingle"), name, "shingle.");
  recipe.shingle_size = static_cast<uint32_t>(shingle.number("size", 1, limits::kMaxShingle));
  recipe.short_text = shingle.choice("short_text", kShortTexts);
  shingle.finish();

  Fields sketch(fields.at("sketch"), name, "sketch.");
  sketch.choice("kind", kFixedSketch);
  recipe.lanes = static_cast<uint32_t>(sketch.number("lanes", 1, limits::kMaxLanes));
  recipe.seed = sketch.number("seed", 0, kMaxSeed);
  sketch.finish();
  fields.finish();
  return recipe;
}

Recipe Recipe::load(const std::string& name_or_path) {
  for (const Preset& preset : presets()) {
    if (preset.name == name_or_path) return parse(preset.json, preset.name);
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(name_or_path, ignored))
    throw Error(ErrorCode::kUsage, fmt::format("recipe '{}' is a folder", name_or_path));
  std::ifstream file(name_or_path, std::ios::binary);
  if (!file) {
    std::string names;
    for (const std::string_view name : preset_names()) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    throw Error(ErrorCode::kUsage, fmt::format("recipe '{}' is neither a preset ({}) nor a readable file", name_or_path, names));
  }
  std::ostringstream text;
  text << file.rdbuf();
  return parse(text.str(), name_or_path);
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
  within("normalizer", static_cast<uint64_t>(normalizer), 0, kNormalizers.size() - 1);
  within("tokenizer", static_cast<uint64_t>(tokenizer), 0, kTokenizers.size() - 1);
  within("shingle.short_text", static_cast<uint64_t>(short_text), 0, kShortTexts.size() - 1);
  within("shingle.size", shingle_size, 1, limits::kMaxShingle);
  within("min_features", min_features, 1, kMaxMinFeatures);
  within("sketch.lanes", lanes, 1, limits::kMaxLanes);
  within("sketch.seed", seed, 0, kMaxSeed);
}

std::string Recipe::canonical_json() const {
  return fmt::format(R"({{"feature_hash":"{}","min_features":{},"normalizer":"{}","shingle":{{"short_text":"{}","size":{}}},)"
                     R"("sketch":{{"kind":"{}","lanes":{},"seed":{}}},"tokenizer":"{}"}})",
                     kFeatureHash, min_features, name_of(kNormalizers, normalizer), name_of(kShortTexts, short_text), shingle_size,
                     kSketchKind, lanes, seed, name_of(kTokenizers, tokenizer));
}

uint64_t Recipe::id() const {
  return hash64(canonical_json());
}

}  // namespace neardup
