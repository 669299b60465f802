#include "bind_plan.h"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <utility>

#include "neardup/error.h"
#include "neardup/tools/hamming_prediction.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/run_prediction.h"
#include "options.h"
#include "sketch/bind_recipe.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

constexpr int kSteps = 20;  // similarities 0.05 apart
constexpr std::array<uint32_t, 4> kPermutations{10, 100, 500, 1000};

void put_signature_plan(const Options& options, const RunPlan& plan, nb::dict& dict) {
  dict["lanes"] = plan.recipe.lanes;
  dict["threshold"] = options.threshold.value();
  dict["measure"] = plan.measure;
  dict["bands"] = plan.bands;
  dict["rows_per_band"] = plan.rows_per_band;
  dict["predicted_miss"] = plan.sample_features > 0 ? plan.sample_miss : plan.miss_probability(options.threshold.value());
  dict["fingerprint_bits"] = plan.fingerprint_bits;
  dict["max_distance"] = plan.max_distance;
  dict["miss_probability"] = options.miss_probability.value();
  dict["planned"] = plan.bands > 0 && options.bands == 0;
  nb::list search;
  for (int step = 1; step <= kSteps; ++step) {
    const double similarity = static_cast<double>(step) / kSteps;
    const EstimateInterval interval = estimate_interval(similarity, plan.recipe.lanes);
    nb::dict row;
    row["similarity"] = similarity;
    row["missed"] = plan.miss_probability(similarity);
    row["estimate_low"] = interval.low;
    row["estimate_high"] = interval.high;
    search.append(row);
  }
  dict["search"] = search;
  nb::list intervals;
  for (const uint32_t permutations : kPermutations) {
    const EstimateInterval interval = estimate_interval(0.5, permutations);
    nb::dict row;
    row["permutations"] = permutations;
    row["similarity"] = 0.5;
    row["low"] = interval.low;
    row["high"] = interval.high;
    intervals.append(row);
  }
  dict["intervals"] = intervals;
  nb::list warnings;
  if (const std::string warning = plan_warning(options, plan); !warning.empty()) warnings.append(warning);
  dict["warnings"] = warnings;
}

void put_fingerprint_plan(const RunPlan& plan, nb::dict& dict) {
  dict["fingerprint_bits"] = plan.fingerprint_bits;
  dict["max_distance"] = plan.max_distance;
  dict["chance"] = fingerprint_chance(plan.fingerprint_bits, plan.max_distance);
  nb::list search;
  for (int step = kSteps / 2; step <= kSteps; ++step) {
    const double similarity = static_cast<double>(step) / kSteps;
    nb::dict row;
    row["similarity"] = similarity;
    row["differing_bits"] = fingerprint_distance(plan.fingerprint_bits, similarity);
    row["matched"] = fingerprint_recall(plan.fingerprint_bits, plan.max_distance, similarity);
    search.append(row);
  }
  dict["search"] = search;
}

nb::dict corpus_of(const RunPlan& plan, const RunCorpus& corpus, const RunPrediction& costs) {
  nb::dict dict;
  dict["documents"] = corpus.documents;
  dict["text_bytes"] = corpus.text_bytes;
  dict["threads"] = plan.threads;
  dict["memory_budget"] = plan.memory_bytes;
  dict["memory_bytes"] = costs.memory_bytes;
  dict["temporary_bytes"] = costs.temporary_bytes;
  dict["checkpoint_bytes"] = costs.checkpoint_bytes;
  dict["record_bytes"] = costs.record_bytes;
  dict["seconds"] = costs.seconds();
  dict["sketch_seconds"] = costs.sketch_seconds;
  dict["group_seconds"] = costs.group_seconds;
  dict["features_seconds"] = costs.features_seconds;
  dict["disk_seconds"] = costs.disk_seconds;
  dict["checkpoint_seconds"] = costs.checkpoint_seconds;
  nb::list candidates;
  for (const RunPrediction::FalseCandidates& candidate : costs.false_candidates) {
    nb::dict row;
    row["similarity"] = candidate.similarity;
    row["share_a_band"] = candidate.proposed;
    row["read"] = candidate.read;
    candidates.append(row);
  }
  dict["false_candidates"] = candidates;
  return dict;
}

// `documents`: 0 without a corpus.
nb::dict plan_of_run(nb::handle recipe, const GivenOptions& given, uint64_t documents, uint64_t text_bytes) {
  Options options = options_of(given, "plan");
  options.recipe = given_recipe(recipe).given;
  const RunPlan plan = plan_run(options);
  nb::dict dict;
  dict["recipe"] = plan.recipe.name;
  dict["recipe_id"] = fmt::format("{:016x}", plan.recipe.id());
  if (plan.fingerprint_bits > 0) {
    if (documents > 0)
      throw Error(ErrorCode::kUsage,
                  fmt::format("documents: recipe '{}' makes fingerprints; plan their index with documents, bits and distance alone",
                              plan.recipe.name));
    put_fingerprint_plan(plan, dict);
    return dict;
  }
  put_signature_plan(options, plan, dict);
  if (documents == 0) return dict;
  if (plan.bands == 0)
    throw Error(ErrorCode::kUsage, "documents: the cost of search='exact' depends on the texts; only 'lsh' can be planned");
  const RunCorpus corpus{.documents = documents, .text_bytes = text_bytes};
  RunPrediction costs;
  {
    const Unlocked unlocked;
    costs = predict_run(options, plan, corpus, RunSpeed::measured(plan.recipe, text_bytes));
  }
  dict["corpus"] = corpus_of(plan, corpus, costs);
  return dict;
}

nb::dict plan_of_index(uint64_t documents, uint32_t bits, uint32_t distance, bool self_join, double bytes_per_code, bool measure) {
  if (documents == 0 || (bits != 64 && bits != 128) || distance > bits || !(bytes_per_code >= 0))
    throw Error(ErrorCode::kUsage,
                fmt::format("cannot plan an index of {} fingerprints of {} bits with distance {}", documents, bits, distance));
  HammingPlan plan;
  HammingPrediction costs;
  {
    const Unlocked unlocked;
    const HammingStatistics statistics = HammingStatistics::uniform(bits, documents);
    plan = plan_hamming(statistics, distance,
                        {.use = self_join ? HammingUse::kSelfJoin : HammingUse::kQuery, .bytes_per_code = bytes_per_code});
    costs = predict_hamming(plan, statistics, measure ? MachineSpeed::measured() : MachineSpeed{});
  }
  nb::dict dict;
  dict["documents"] = documents;
  dict["bits"] = bits;
  dict["distance"] = distance;
  nb::list tables;
  for (const HammingBlock& block : plan.blocks) {
    nb::dict row;
    row["bits"] = block.width;
    row["flips"] = block.flips;
    tables.append(row);
  }
  dict["tables"] = tables;
  dict["buckets_per_query"] = costs.probes;
  dict["bytes"] = costs.bytes;
  dict["bytes_per_code"] = costs.bytes_per_code;
  dict["candidates_per_query"] = costs.candidates;
  dict["query_us"] = costs.query_ns / 1e3;
  dict["batched_query_us"] = costs.batched_query_ns / 1e3;
  dict["flat_query_us"] = costs.flat_query_ns / 1e3;
  dict["build_seconds"] = costs.build_seconds;
  dict["self_join_seconds"] = costs.self_join_seconds;
  dict["strangers_per_query"] = costs.strangers_per_query;
  dict["strangers_in_self_join"] = costs.strangers_in_self_join;
  return dict;
}

}  // namespace

void bind_plan(nb::module_& module) {
  module.def("plan_run", &plan_of_run, nb::arg("recipe").none(), nb::arg("options"), nb::arg("documents"), nb::arg("text_bytes"));
  module.def("plan_index", &plan_of_index, nb::arg("documents"), nb::arg("bits"), nb::arg("distance"), nb::arg("self_join"),
             nb::arg("bytes_per_code"), nb::arg("measure"));
}

}  // namespace neardup::python
