#include "neardup/tools/option_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace neardup {
namespace {

using Facts = RunFacts;

bool uses_bands(const Facts& facts) {
  return facts.plan->bands > 0;
}

// The distance of fingerprints decides alone.
bool is_judged_by_distance(const Options& options, const Facts& facts) {
  return facts.plan->fingerprint_bits > 0 && !uses_bands(facts) && (options.verify == Verify::kTrue || options.verify == Verify::kFalse);
}

std::string no_bands(const Options& options, const Facts& facts) {
  if (facts.plan == nullptr || uses_bands(facts)) return {};
  if (options.measure == Measure::kContainment) return "--measure containment has no bands";
  if (facts.plan->fingerprint_bits == 0) return "--search exact misses nothing and has no bands";
  return fmt::format("recipe '{}' makes fingerprints, whose search has no bands{}", facts.plan->recipe.name,
                     options.also.empty() ? "" : " without a MinHash");
}

std::string idle_threshold(const Options& options, const Facts& facts) {
  if (facts.plan == nullptr || facts.shows_presets) return {};
  if (is_judged_by_distance(options, facts)) {
    return fmt::format(
        "recipe '{}' makes fingerprints, which are judged by --max-distance; with --verify jaccard or cosine the threshold "
        "counts",
        facts.plan->recipe.name);
  }
  if (options.verify == Verify::kFalse && options.bands > 0) return "with --bands and --verify false it has no effect";
  return {};
}

std::string idle_distance(const Options&, const Facts& facts) {
  if (facts.plan == nullptr || facts.shows_presets || facts.plan->fingerprint_bits > 0) return {};
  return fmt::format("recipe '{}' makes no fingerprints", facts.plan->recipe.name);
}

std::string idle_miss_probability(const Options& options, const Facts& facts) {
  if (facts.plan != nullptr && options.measure == Measure::kContainment) {
    return options.search == Search::kExact ? "--search exact misses nothing"
                                            : "under --measure containment fewer than one pair in a million is missed";
  }
  if (std::string why = no_bands(options, facts); !why.empty()) return why;
  return facts.plan != nullptr && options.bands > 0 ? "--bands and --rows-per-band decide what is missed" : "";
}

std::string idle_cap(const Options& options, const Facts& facts) {
  if (facts.plan == nullptr) return {};
  if (options.measure == Measure::kContainment) return "--measure containment compares without a cap";
  if (options.search == Search::kExact) return "--search exact compares without a cap";
  return is_judged_by_distance(options, facts) ? "the distance of fingerprints is known without verifications" : "";
}

std::string idle_containment(const Options& options, const Facts&) {
  return options.measure == Measure::kContainment ? "" : "it is for --measure containment";
}

std::string idle_text_field(const Options&, const Facts& facts) {
  return facts.inputs.any() && !facts.inputs.have_fields() ? "every input is a text file, which is the text as a whole" : "";
}

std::string idle_id_field(const Options&, const Facts& facts) {
  return facts.inputs.any() && !facts.inputs.have_fields() ? "every input is a text file, whose id is its path" : "";
}

std::string idle_block(const Options&, const Facts& facts) {
  return facts.inputs.any() && !facts.inputs.have_fields() ? "every input is a text file, which has no fields" : "";
}

std::string idle_format(const Options& options, const Facts& facts) {
  const InputKinds& in = facts.inputs;
  const bool files = in.lines || in.texts || in.archives || in.tables;
  return options.format != InputFormat::kAuto && in.databases && !files ? "every input is a database" : "";
}

// "UTF-8", "utf8", "utf_8": the default, by whatever name.
bool names_utf8(std::string_view charset) {
  std::string plain;
  for (const char c : charset) {
    if (c != '-' && c != '_') plain.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return plain == "utf8";
}

std::string idle_charset(const Options& options, const Facts& facts) {
  const InputKinds& in = facts.inputs;
  if (names_utf8(options.charset) || !in.any() || in.texts || in.archives) return {};
  return "no input is a text file, a page or a crawl archive; JSON Lines, tables and databases are UTF-8";
}

std::string idle_library(const Options&, const Facts& facts) {
  return facts.inputs.any() && !facts.inputs.tables && !facts.writes_tables ? "neither an input nor an output is Parquet, CSV or TSV" : "";
}

std::string idle_where(const Options&, const Facts& facts) {
  return facts.inputs.any() && !facts.inputs.databases ? "it selects rows of a database, and no input is one" : "";
}

std::string idle_key(const Options&, const Facts& facts) {
  const bool any = facts.inputs.databases || facts.writes_databases;
  return facts.inputs.any() && !any ? "it names the key of a table in a database, and neither an input nor an output is one" : "";
}

struct Rule {
  std::string_view option;
  std::string (*why)(const Options&, const Facts&);
};
constexpr Rule kRules[] = {
    {"threshold", idle_threshold},
    {"min_contained", idle_containment},
    {"min_jaccard", idle_containment},
    {"max_distance", idle_distance},
    {"miss_probability", idle_miss_probability},
    {"bands", no_bands},
    {"rows_per_band", no_bands},
    {"max_candidates", idle_cap},
    {"format", idle_format},
    {"text_field", idle_text_field},
    {"id_field", idle_id_field},
    {"block_on", idle_block},
    {"protect", idle_block},
    {"where", idle_where},
    {"key", idle_key},
    {"charset", idle_charset},
    {"duckdb_library", idle_library},
};

}  // namespace

std::string why_idle(std::string_view name, const Options& options, const RunFacts& facts) {
  const auto* const rule = std::ranges::find(kRules, name, &Rule::option);
  return rule == std::end(kRules) ? std::string() : rule->why(options, facts);
}

}  // namespace neardup
