#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dedup/match/candidates/pair_strategy.h"
#include "dedup/sketchers.h"
#include "jobs/report/json_writer.h"
#include "jobs/report/passages/common_passages.h"
#include "jobs/report/passages/pair_judge.h"
#include "jobs/report/passages/passage_effects.h"
#include "jobs/report/removal_changes.h"
#include "jobs/report/report_sections.h"
#include "jobs/report/report_texts.h"
#include "jobs/report/tally/run_tally.h"
#include "jobs/report/text_parts.h"
#include "neardup/error.h"
#include "neardup/tools/run_report.h"

namespace neardup {
namespace {

constexpr uint64_t kFormat = 1;
constexpr size_t kPassages = 12;
constexpr uint64_t kMinShare = 50;     // a passage is common if one of so many sampled documents has it ...
constexpr uint64_t kMinDocuments = 3;  // ... and at least so many
constexpr uint32_t kCurveSteps = 100;

// How the run found and judged pairs, by its options.
struct RunMethod {
  explicit RunMethod(const Options& options) {
    const RunRecipes recipes(options);
    strategy = choose_pair_strategy(options, recipes.first, recipes.also());
    with_also = recipes.also() != nullptr;
  }
  PairStrategy strategy;
  bool with_also = false;

  [[nodiscard]] bool by_distance() const noexcept { return strategy.judge == Judge::kHamming; }
  [[nodiscard]] uint32_t bits() const noexcept { return by_distance() ? strategy.rule.bits : 0; }
  /// True if the bands of the search alone decide which pairs of a verified Jaccard similarity are found.
  [[nodiscard]] bool estimates_missed() const noexcept {
    return strategy.rule.lsh.bands > 0 && !with_also && strategy.judge == Judge::kJaccard && !strategy.unverified;
  }
  /// What else there is to say about the search; mostly nothing.
  [[nodiscard]] std::string note(const Options& options) const {
    if (search() == "both") return "Pairs within the maximum distance of their fingerprints are all found; others by the bands.";
    if (search() != "samples") return {};
    const ContainmentSample& sample = strategy.containment_sample;
    return fmt::format(
        "Containers are looked up by samples of {} features: exact for texts of up to {} features, expected to miss {:.6f} % "
        "of pairs at exactly the threshold for larger ones.",
        sample.features, sample.certain_up_to(options.threshold), 100 * sample.miss_probability(options.threshold));
  }
  [[nodiscard]] std::string_view search() const noexcept {
    if (strategy.judge == Judge::kContainment) return strategy.containment_sample.all() ? "exact" : "samples";
    if (strategy.rule.all_pairs()) return "exact";
    if (strategy.rule.both()) return "both";
    return strategy.rule.bits != 0 ? "distance" : "bands";
  }
};

void write_run(const ReportRun& run, const RunMethod& method, JsonWriter& json) {
  json.key("run").begin_object().key("directory").text(run.directory.empty() ? "" : run.record->directory()).key("command").begin_array();
  for (const std::string& word : run.command) json.text(word);
  json.end_array().key("recipe_name").text(run.options.recipe).key("recipe").raw(run.record->recipe_json());
  json.key("recipe_id").text(fmt::format("{:016x}", run.record->recipe_id())).key("options").begin_object();
  for (const OptionRow& row : option_table()) {
    const bool of_dedup = std::string(" ").append(row.commands).append(" ").find(" dedup ") != std::string::npos;
    if (!of_dedup) continue;
    const std::string value = row.get(run.options);
    json.key(row.name).text(run.shown != nullptr ? run.shown(value) : value);
  }
  json.end_object().key("threshold").number(run.options.threshold.value()).key("measure").text(measure_name(method.strategy));
  json.key("bits").whole(method.bits()).key("max_distance").whole(method.by_distance() ? run.options.max_distance : 0).end_object();
}

void write_histogram(const RunMethod& method, const Options& options, const RunTally& tally, JsonWriter& json) {
  json.key("histogram").begin_object().key("unit").text(method.by_distance() ? "distance" : "similarity");
  json.key("width").number(method.by_distance() ? 1 : RemovalHistogram::kBinWidth / 1e6).key("bins").begin_array();
  for (const RemovalHistogram::Bin& bin :
       tally.histogram.bins(method.by_distance() ? options.max_distance : options.threshold.millionths())) {
    json.begin_array().number(method.by_distance() ? bin.from : bin.from / 1e6).whole(bin.removed).end_array();
  }
  json.end_array().end_object();
}

void write_search(const RunMethod& method, const Options& options, const RunTally& tally, JsonWriter& json) {
  const LshPlan& plan = method.strategy.rule.lsh;
  json.key("search").begin_object().key("kind").text(method.search());
  json.key("bands").whole(plan.bands).key("rows").whole(plan.rows).key("curve").begin_array();
  for (uint32_t step = 0; plan.bands > 0 && step <= kCurveSteps; ++step) {
    const double similarity = static_cast<double>(step) / kCurveSteps;
    json.begin_array().number(similarity).number(1 - plan.miss_probability(similarity)).end_array();
  }
  json.end_array().key("missed");
  if (method.estimates_missed()) {
    const MissedPairs missed = tally.missed.estimate();
    json.begin_object().key("pairs").number(missed.pairs).key("low").number(missed.low).key("high").number(missed.high);
    json.key("of").whole(missed.found).end_object();
  } else {
    json.null();
  }
  json.key("note").text(method.note(options)).end_object();
}

// Members of the summary that the report repeats.
class SummaryMembers {
 public:
  explicit SummaryMembers(const std::string& json) {
    if (json.empty()) return;
    boost::system::error_code error;
    boost::json::value value = boost::json::parse(json, error);
    if (!error && value.is_object()) members_ = std::move(value.as_object());
  }
  void copy(std::string_view name, JsonWriter& json) const {
    json.key(name);
    const boost::json::value* const found = members_.if_contains(name);
    if (found == nullptr) {
      json.null();
    } else {
      json.raw(boost::json::serialize(*found));
    }
  }
  [[nodiscard]] std::vector<std::string> warnings() const {
    std::vector<std::string> lines;
    const boost::json::value* const found = members_.if_contains("warnings");
    if (found == nullptr || !found->is_array()) return lines;
    for (const boost::json::value& line : found->get_array()) {
      if (line.is_string()) lines.emplace_back(line.get_string());
    }
    return lines;
  }

 private:
  boost::json::object members_;
};

void write_resources(const SummaryMembers& summary, JsonWriter& json) {
  json.key("resources").begin_object();
  for (const std::string_view name : {"passes", "peak_memory_bytes", "spilled_bytes", "text_bytes", "threads", "kernels"})
    summary.copy(name, json);
  json.end_object();
}

// Null if the recipe of the run cannot be had any more: `why` says so then.
std::unique_ptr<const PairJudge> make_judge(const ReportRun& run, std::string& why) {
  try {
    auto judge = std::make_unique<const PairJudge>(run.options, run.directory);
    if (judge->recipe().id() == run.record->recipe_id()) return judge;
    why = fmt::format("the recipe '{}' changed since the run", run.options.recipe);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput && error.code() != ErrorCode::kUsage) throw;
    why = error.what();
  }
  return nullptr;
}

class PassageFinder {
 public:
  explicit PassageFinder(const ReportRun& run) : run_(run) {}

  static std::vector<DocumentId> places(const RunTally& tally) {
    std::vector<DocumentId> places;
    for (const ReportRow& row : tally.documents.rows()) places.push_back(row.where);
    for (const ReportRow& row : tally.removals.rows()) {
      places.push_back(row.where);
      places.push_back(row.keeper);
    }
    return places;
  }

  ReportPassages find(const RunTally& tally, const ReportTexts& texts, std::vector<std::string>& warnings) const {
    ReportPassages found;
    CommonPassages common;
    for (const ReportRow& row : tally.documents.rows()) {
      if (const ReportTexts::Text* const text = texts.find(row.where)) common.add(text->text);
    }
    check_stop(run_.stop);
    found.documents = common.documents();
    found.passages = common.find(kPassages, std::max(kMinDocuments, (found.documents + kMinShare - 1) / kMinShare));
    std::vector<RemovedTexts> pairs;
    for (const ReportRow& row : tally.removals.rows()) {
      const ReportTexts::Text* const removed = texts.find(row.where);
      const ReportTexts::Text* const keeper = texts.find(row.keeper);
      // A clipped text has other features.
      if (removed != nullptr && keeper != nullptr && removed->whole && keeper->whole)
        pairs.push_back({removed->text, keeper->text, removed->block});
    }
    found.removals = pairs.size();
    if (found.passages.empty()) return found;
    std::string why;
    if (const auto judge = make_judge(run_, why)) {
      found.effects = passage_effects(found.passages, pairs, *judge);
    } else {
      warnings.push_back("what shared passages change is unknown: " + why);
    }
    return found;
  }

 private:
  const ReportRun& run_;
};

}  // namespace

std::string report_json(const ReportRun& run) {
  const StopScope scope(&run.stop);
  const RunRecord& record = *run.record;
  const RunMethod method(run.options);
  const LshPlan plan = method.estimates_missed() ? method.strategy.rule.lsh : LshPlan{};
  RunTally tally(record.source_count(), method.bits(), plan.bands, plan.rows);
  tally.read(record, run.stop);

  std::vector<DocumentId> wanted = places_to_show(tally);
  std::ranges::copy(PassageFinder::places(tally), std::back_inserter(wanted));
  const ReportTexts texts(run, std::move(wanted));
  const SummaryMembers summary(record.summary_json());
  std::vector<std::string> warnings = summary.warnings();
  std::ranges::copy(texts.problems(), std::back_inserter(warnings));
  const ReportPassages passages = PassageFinder(run).find(tally, texts, warnings);

  std::string out;
  JsonWriter json(out);
  json.begin_object().key("format").whole(kFormat).key("version").text(run.version);
  write_run(run, method, json);
  json.key("summary").raw(record.summary_json().empty() ? "null" : record.summary_json());
  write_histogram(method, run.options, tally, json);
  write_search(method, run.options, tally, json);
  const ReportContents contents{.record = record, .tally = tally, .texts = texts, .by_distance = method.by_distance()};
  write_cluster_sizes(contents, json);
  write_sources(contents, json);
  json.key("max_removed")
      .number(run.max_removed)
      .key("max_removed_given")
      .raw(run.bound_given ? "true" : "false")
      .key("warnings")
      .begin_array();
  for (const std::string& warning : warnings) write_name(warning, json);
  json.end_array();
  write_least_similar(contents, json);
  write_removal_changes(count_removal_changes(tally.removals.rows(), texts), json);
  write_clusters(contents, json);
  write_passages(passages, json);
  write_resources(summary, json);
  json.end_object();
  return out;
}

}  // namespace neardup
