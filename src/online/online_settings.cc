#include "online/online_settings.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

#include "neardup/error.h"

namespace neardup {
namespace {

namespace json = boost::json;

constexpr uint64_t kSettingsVersion = 1;

[[noreturn]] void refuse_spec(const std::string& why) {
  throw Error(ErrorCode::kUsage, "store: " + why);
}

LshPlan plan_of(const OnlineStoreSpec& spec, const Recipe& recipe) {
  if (recipe.fingerprints()) {
    if (spec.bands != 0 || spec.rows_per_band != 0)
      refuse_spec(fmt::format("bands are for MinHash, and recipe '{}' makes fingerprints", recipe.name));
    return {};
  }
  if ((spec.bands == 0) != (spec.rows_per_band == 0)) refuse_spec("bands and rows_per_band are given together or not at all");
  if (spec.bands == 0) return plan_lsh(spec.threshold, spec.miss_probability, recipe.lanes);
  if (uint64_t{spec.bands} * spec.rows_per_band > recipe.lanes) {
    refuse_spec(fmt::format("{} bands of {} rows need {} lanes; recipe '{}' has {}", spec.bands, spec.rows_per_band,
                            uint64_t{spec.bands} * spec.rows_per_band, recipe.name, recipe.lanes));
  }
  return {spec.bands, spec.rows_per_band};
}

Recipe recipe_of(const OnlineStoreSpec& spec) {
  Recipe recipe = Recipe::load(spec.recipe);
  if (recipe.needs_fitting())
    refuse_spec(
        fmt::format("recipe '{}' weighs by the IDF of a corpus, which a stream does not have; make a table with 'neardup idf' and name it",
                    recipe.name));
  if (recipe.fingerprints() && spec.max_distance > recipe.bits)
    refuse_spec(fmt::format("max_distance: {} is above the {} bits of recipe '{}'", spec.max_distance, recipe.bits, recipe.name));
  return recipe;
}

}  // namespace

OnlineSettings::OnlineSettings(const OnlineStoreSpec& spec, LshPlan plan, Recipe recipe)
    : spec_(spec),
      recipe_(std::move(recipe)),
      sketcher_(std::make_unique<const Sketcher>(recipe_)),
      signature_hasher_(recipe_),
      plan_(plan),
      filter_(recipe_.fingerprints() ? SignatureFilter() : SignatureFilter(recipe_.lanes, spec.threshold)),
      layout_(plan_, filter_.row_bytes()) {}

OnlineSettings::OnlineSettings(const OnlineStoreSpec& spec)
    : OnlineSettings(
          spec, [&] { return plan_of(spec, recipe_of(spec)); }(), recipe_of(spec)) {}

std::string OnlineSettings::to_json() const {
  return json::serialize(json::object{{"version", kSettingsVersion},
                                      {"recipe", spec_.recipe},
                                      {"canonical_recipe", recipe_.canonical_json()},
                                      {"recipe_id", fmt::format("{:016x}", recipe_.id())},
                                      {"threshold", spec_.threshold.millionths()},
                                      {"miss_probability", spec_.miss_probability.millionths()},
                                      {"bands", plan_.bands},
                                      {"rows_per_band", plan_.rows},
                                      {"least_agreement", filter_.min_agreement()},
                                      {"max_distance", spec_.max_distance},
                                      {"min_length", spec_.min_length},
                                      {"ttl_ms", spec_.ttl_ms},
                                      {"texts", spec_.texts}});
}

std::unique_ptr<const OnlineSettings> OnlineSettings::from_json(std::string_view text, const std::string& name, const std::string& moved) {
  const auto damaged = [&](const std::string& what) { throw Error(ErrorCode::kInput, fmt::format("{}: the settings {}", name, what)); };
  boost::system::error_code error;
  const json::value value = json::parse(text, error);
  if (error || !value.is_object()) damaged("are not a JSON object");
  const json::object& object = value.as_object();
  const auto number = [&](std::string_view key, uint64_t most) -> uint64_t {
    const json::value* const at = object.if_contains(key);
    uint64_t read = 0;
    if (at != nullptr && at->is_uint64()) {
      read = at->as_uint64();
    } else if (at != nullptr && at->is_int64() && at->as_int64() >= 0) {
      read = static_cast<uint64_t>(at->as_int64());
    } else {
      damaged(fmt::format("have no number '{}'", key));
    }
    if (read > most) damaged(fmt::format("have {} for '{}'; expected at most {}", read, key, most));
    return read;
  };
  const auto string = [&](std::string_view key) {
    const json::value* const at = object.if_contains(key);
    if (at == nullptr || !at->is_string()) damaged(fmt::format("have no string '{}'", key));
    return std::string(at->as_string());
  };
  if (const uint64_t version = number("version", UINT32_MAX); version != kSettingsVersion)
    damaged(fmt::format("have version {}, and this program reads version {}", version, kSettingsVersion));
  const auto share = [&](std::string_view key) {
    const uint64_t millionths = number(key, Threshold::kOne);
    if (millionths == 0) damaged(fmt::format("have 0 for '{}'", key));
    return Threshold::from_millionths(static_cast<uint32_t>(millionths));
  };
  const LshPlan plan{static_cast<uint32_t>(number("bands", UINT16_MAX)), static_cast<uint32_t>(number("rows_per_band", UINT16_MAX))};
  const json::value* const texts = object.if_contains("texts");
  if (texts == nullptr || !texts->is_bool()) damaged("do not say whether texts are kept");
  OnlineStoreSpec spec{.recipe = string("recipe"),
                       .threshold = share("threshold"),
                       .miss_probability = share("miss_probability"),
                       .bands = plan.bands,
                       .rows_per_band = plan.rows,
                       .max_distance = static_cast<uint32_t>(number("max_distance", UINT16_MAX)),
                       .min_length = number("min_length", UINT64_MAX),
                       .ttl_ms = number("ttl_ms", UINT64_MAX),
                       .texts = texts->as_bool()};
  if (!moved.empty()) spec.recipe = moved;
  const std::string id = string("recipe_id");
  Recipe recipe = recipe_of(spec);
  if (const std::string own = fmt::format("{:016x}", recipe.id()); own != id) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: the store is of recipe {} ({}), and '{}' is {}", name, id, string("canonical_recipe"), spec.recipe, own));
  }
  if (recipe.fingerprints() != (plan.bands == 0) || uint64_t{plan.bands} * plan.rows > recipe.lanes)
    damaged(fmt::format("have {} bands of {} rows for recipe '{}'", plan.bands, plan.rows, recipe.name));
  std::unique_ptr<const OnlineSettings> settings(new OnlineSettings(spec, plan, std::move(recipe)));
  // Another bound would be another rule: verdicts would change within one store.
  if (const uint64_t agreement = number("least_agreement", UINT32_MAX); agreement != settings->filter_.min_agreement())
    damaged(fmt::format("have a filter of {} lanes, and this program makes one of {}", agreement, settings->filter_.min_agreement()));
  return settings;
}

TableStoreSpec OnlineSettings::tables() const {
  return {.recipe_id = recipe_.id(),
          .recipe = recipe_.canonical_json(),
          .bands = plan_.bands,
          .rows_per_band = plan_.rows,
          .filter_bytes = static_cast<uint32_t>(filter_.row_bytes())};
}

}  // namespace neardup
