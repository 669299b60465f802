#include "dedup/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/input_kinds.h"
#include "neardup/tools/option_effects.h"
#include "options.h"

namespace neardup::python {
namespace {

constexpr std::string_view kFileOptions[] = {"format", "charset", "where", "key", "duckdb_library"};

// Fields have arguments of their own.
void check_name(const std::string& name, const std::string& command) {
  if (name != "text_field" && name != "id_field") return;
  throw Error(ErrorCode::kUsage,
              fmt::format("{}() has no option '{}': the field is named by '{}'", command, name, name.substr(0, name.find('_'))));
}

}  // namespace

Settings::Settings(std::string command, const Given& given, std::vector<std::string> text, std::string id)
    : command_(std::move(command)), given_(given) {
  for (const auto& [name, value] : given) check_name(name, command_);
  if (text.empty()) throw Error(ErrorCode::kUsage, "text: expected at least one field");
  options_ = options_of(given, command_);
  options_.text_field = std::move(text);
  options_.id_field = std::move(id);
  if (command_ == "pairs" && options_.verify == Verify::kFalse) {
    throw Error(ErrorCode::kUsage, "verify: pairs() lists verified similarities, so it cannot be 'false'");
  }
  plan_ = plan_run(options_);
}

Fields Settings::fields() const {
  return {.text = options_.text_field,
          .id = options_.id_field,
          .rank = plan_.rank_field,
          .block = options_.block_on,
          .protect = options_.protect,
          .max_text_bytes = options_.max_record_bytes};
}

SourceOptions Settings::source_options() const {
  using Checks = SourceOptions::FieldChecks;
  SourceOptions source;
  source.field_checks = options_.max_rejects.accepts_all() ? Checks::kNone : Checks::kAll;
  source.format = options_.format;
  source.text_field = options_.text_field;
  source.id_field = options_.id_field;
  source.block_field = options_.block_on;
  source.protect = options_.protect;
  source.where = options_.where;
  source.key = options_.key;
  source.charset = options_.charset;
  source.duckdb_library = options_.duckdb_library;
  source.memory = plan_.memory_bytes;
  source.rank_field = plan_.rank_field;
  source.max_record_bytes = options_.max_record_bytes;
  source.temp_dir = options_.temp_dir;
  return source;
}

Settings::Fitted Settings::fit(const Data& data, const DocumentSource& source) const {
  Fitted fitted{.options = options_, .notes = {}};
  RunPlan plan = plan_;
  if (data.has_files() && clean_if_html(source, fitted.options, plan)) {
    fitted.notes.push_back(fmt::format("the input is HTML: using {}, which strips markup; clean=\"none\" keeps it", plan.recipe.name));
  }
  const RunFacts facts{.plan = &plan, .inputs = data.has_files() ? input_kinds(source) : InputKinds{.lines = true}};
  for (const auto& [name, value] : given_) {
    if (!data.has_files() && std::ranges::find(kFileOptions, name) != std::end(kFileOptions))
      throw Error(ErrorCode::kUsage, fmt::format("{} has no effect here: it is for files and databases", name));
    const std::string why = why_idle(name, fitted.options, facts);
    if (!why.empty()) throw Error(ErrorCode::kUsage, fmt::format("{} has no effect here: {}", name, why));
  }
  if (std::string warning = plan_warning(fitted.options, plan); !warning.empty()) fitted.notes.push_back(std::move(warning));
  return fitted;
}

bool Settings::is_given(std::string_view name) const noexcept {
  return std::ranges::any_of(given_, [&](const auto& option) { return option.first == name; });
}

bool Settings::clean_if_html(const DocumentSource& source, Options& options, RunPlan& plan) const {
  if (is_given("recipe") || is_given("also") || is_given("clean") || source.source_count() == 0) return false;
  for (uint32_t i = 0; i < source.source_count(); ++i) {
    if (!source.holds_html(i)) return false;
  }
  Options cleaned = options;
  cleaned.clean = "html";
  try {
    plan = plan_run(cleaned);
  } catch (const Error&) {
    return false;  // this build has no html_v1; the run warns of the markup
  }
  options = std::move(cleaned);
  return true;
}

}  // namespace neardup::python
