#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/hash.h"
#include "index/anchors/anchor_shape.h"
#include "neardup/clue_index.h"
#include "neardup/error.h"
#include "text/normalize/han_fold.h"
#include "text/utf8/code_points.h"

namespace neardup {
namespace {

constexpr std::string_view kForm = "clue_v1";
constexpr std::string_view kAnchors = "open_closed_v1";
constexpr std::string_view kFoldName = "simplified_v1";

[[noreturn]] void refuse_recipe(const std::string& why) {
  throw Error(ErrorCode::kUsage, "the recipe of the clue index: " + why);
}

}  // namespace

static_assert(ClueRecipe::kMinRunMin >= AnchorShape{}.gram && ClueRecipe::kMinRunMax == AnchorShape::kMaxMinRun);

uint32_t ClueRecipe::min_run_wide() const noexcept {
  return AnchorShape::of_min_run(min_run).min_run_wide();
}

void ClueRecipe::check() const {
  if (min_run < kMinRunMin || min_run > kMinRunMax) {
    throw Error(ErrorCode::kUsage, fmt::format("min_run is {}; expected {} to {}", min_run, kMinRunMin, kMinRunMax));
  }
}

std::string ClueRecipe::canonical_json() const {
  const AnchorShape shape = AnchorShape::of_min_run(min_run);
  std::string text =
      fmt::format(R"({{"anchors":{{"gram":{},"kind":"{}","window":{}}},"form":"{}")", shape.gram, kAnchors, shape.window, kForm);
  if (fold_han) text += fmt::format(R"(,"han_fold":"{}:{:016x}")", kFoldName, HanFold::traditional_to_simplified().id());
  if (refer) text += R"(,"texts":"refer")";
  if (unicode_version() != kDefaultUnicode) text += fmt::format(R"(,"unicode":"{}")", unicode_version());
  return text + "}";
}

uint64_t ClueRecipe::id() const {
  return hash64(canonical_json());
}

ClueRecipe ClueRecipe::parse(std::string_view json) {
  boost::system::error_code error;
  const boost::json::value value = boost::json::parse({json.data(), json.size()}, error);
  if (error || !value.is_object()) refuse_recipe("it is not a JSON object");
  const boost::json::object& fields = value.get_object();
  ClueRecipe recipe;
  recipe.fold_han = fields.contains("han_fold");
  recipe.refer = fields.contains("texts");
  const auto* const anchors = fields.if_contains("anchors");
  const auto* const window = anchors != nullptr && anchors->is_object() ? anchors->get_object().if_contains("window") : nullptr;
  if (window == nullptr || !window->is_int64()) refuse_recipe("anchors.window is not a number");
  const int64_t columns = window->get_int64();
  const int64_t least = AnchorShape::of_min_run(kMinRunMin).window;
  const int64_t most = AnchorShape::of_min_run(kMinRunMax).window;
  if (columns < least || columns > most) refuse_recipe(fmt::format("anchors.window is {}; expected {} to {}", columns, least, most));
  recipe.min_run = AnchorShape{.window = static_cast<uint32_t>(columns)}.min_run_latin();
  // Whatever else differs is another version of the form, the anchors, the folding table or Unicode.
  if (const std::string own = recipe.canonical_json(); own != json) {
    refuse_recipe(fmt::format("{}; this build makes {}", json, own));
  }
  return recipe;
}

}  // namespace neardup
