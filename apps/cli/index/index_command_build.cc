// neardup index build and add.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check_invocation.h"
#include "cli/index/block_options.h"
#include "cli/index/index_command.h"
#include "cli/index/index_store.h"
#include "cli/interrupt.h"
#include "cli/run_support.h"
#include "cli/text_format.h"
#include "neardup/error.h"
#include "neardup/tools/fingerprint_files.h"
#include "neardup/tools/index_documents.h"
#include "neardup/tools/index_fingerprints.h"

namespace neardup::cli {
namespace {

// What goes in: documents, or ready fingerprints.
struct Input {
  std::unique_ptr<DocumentSource> source;
  std::unique_ptr<RejectSink> rejects;
  std::unique_ptr<FingerprintReader> reader;
  std::unique_ptr<PieceSink> rejected_lines;
};

bool from_fingerprints(const IndexJob& job) {
  const bool given = job.invocation.has("from-fingerprints");
  for (const std::string_view name : {"format", "text-field", "id-field", "charset", "max-record-bytes"}) {
    if (given && job.invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("--{} is for documents, not for fingerprints", name));
  }
  for (const std::string_view name : {"fingerprint-format", "bits"}) {
    if (!given && job.invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("--{} requires --from-fingerprints", name));
  }
  return given;
}

bool all_arrays(const std::vector<std::string>& inputs) {
  return std::ranges::all_of(inputs, [](const std::string& input) { return is_fingerprint_array(input); });
}

Input open_documents(const IndexJob& job, const Options& options, const RunPlan& plan, Outputs& outputs, Reporter& reporter) {
  Input input;
  input.source = open_inputs(job.arguments, options, plan, reporter);
  check_effects(job.invocation, nullptr, input_kinds(*input.source));
  outputs.check(*input.source);
  if (outputs.has("rejects")) input.rejects = make_reject_sink(outputs.path("rejects"), *input.source);
  return input;
}

Input open_fingerprints(const IndexJob& job, const HammingStoreSpec& spec, Outputs& outputs) {
  outputs.check(job.arguments);
  Input input;
  FingerprintReader::Reject reject;
  if (outputs.has("rejects")) {
    input.rejected_lines = make_piece_sink(outputs.path("rejects"));
    reject = [sink = input.rejected_lines.get()](std::string_view line) { sink->append({}, std::string(line) + "\n"); };
  }
  const FingerprintFormat format{
      .bits = spec.bits,
      .text = fingerprint_text_option("fingerprint-format", job.invocation.value("fingerprint-format", "hex")),
      .names = spec.names,
      .recipe_id = spec.recipe_id,
  };
  input.reader = std::make_unique<FingerprintReader>(job.arguments, format, std::move(reject));
  input.reader->look_ahead();
  return input;
}

std::string spec_label(const HammingStoreSpec& spec, const std::string& recipe) {
  return fmt::format("{}{} bits, distance at most {}", recipe.empty() ? "" : "recipe " + recipe + ", ", spec.bits, spec.radius);
}

template <typename Code>
int fill(const Options& options, HammingStore<Code>& store, const Input& input, Outputs& outputs, Reporter& reporter) {
  RunHooks hooks;
  hooks.source = input.source.get();
  hooks.rejects = input.rejects.get();
  hooks.progress = [&](const Progress& progress) { reporter.progress(progress); };
  hooks.stop = interrupted;
  const IndexSummary summary = input.reader ? index_fingerprints(options, store, {hooks, input.reader.get(), input.rejected_lines.get()})
                                            : index_documents(options, store, hooks);
  return outputs.finish({.text = summary.to_text(), .json = summary.to_json(), .warnings = summary.warnings}, summary.rejected, reporter);
}

void announce(const Input& input, const Options& options, const HammingStoreSpec& spec, const std::string& recipe, Reporter& reporter) {
  const RunPlan plan = plan_run(options);
  const std::string machine = input.source ? machine_label(plan, *input.source) : counted(plan.threads, "thread");
  reporter.start(fmt::format("{}, {}, memory {}", spec_label(spec, recipe), machine, data_size(plan.memory_bytes)),
                 fmt::format(R"({}"bits":{},"max_distance":{},"threads":{},"memory_bytes":{})",
                             spec.recipe_id == 0 ? "" : fmt::format(R"("recipe_id":"{:016x}",)", spec.recipe_id), spec.bits, spec.radius,
                             plan.threads, plan.memory_bytes));
}

// Of fingerprints that are given, the recipe may not be known.
HammingStoreSpec spec_of_fingerprints(const IndexJob& job) {
  const Options& options = job.invocation.options;
  if (job.invocation.has("recipe")) {
    if (job.invocation.has("bits")) throw Error(ErrorCode::kUsage, "--bits: --recipe tells how many bits there are");
    HammingStoreSpec spec = index_spec(options);
    spec.names = !all_arrays(job.arguments);
    return spec;
  }
  const std::string bits = job.invocation.value("bits", "64");
  if (bits != "64" && bits != "128") throw Error(ErrorCode::kUsage, fmt::format("--bits: expected 64 or 128, not '{}'", bits));
  return {.bits = bits == "64" ? 64u : 128u, .radius = options.max_distance, .names = !all_arrays(job.arguments)};
}

template <typename Code>
int build(const IndexJob& job, const Options& options, const HammingStoreSpec& spec, const Input& input, Outputs& outputs,
          Reporter& reporter) {
  HammingStore<Code> store = HammingStore<Code>::create(job.folder, spec);
  return fill(options, store, input, outputs, reporter);
}

}  // namespace

int build_index(const IndexJob& job, Reporter& reporter) {
  if (find_hamming_store(job.folder) == HammingStorePlace::kStore && !hamming_store_unused(job.folder)) {
    throw Error(ErrorCode::kOutput,
                fmt::format("'{0}' is an index already; neardup index add {0} adds to it, another name makes a new one", job.folder));
  }
  const bool fingerprints = from_fingerprints(job);
  Options options = job.invocation.options;
  HammingStoreSpec spec = fingerprints ? spec_of_fingerprints(job) : index_spec(options);
  if (spec.radius > spec.bits) {
    throw Error(ErrorCode::kUsage, fmt::format("--max-distance: {} is above the {} bits of a fingerprint", spec.radius, spec.bits));
  }
  if (fingerprints && !job.invocation.has("recipe")) options.max_distance = Options().max_distance;  // means nothing to words-5
  Outputs outputs(job.invocation, {});
  const Input input =
      fingerprints ? open_fingerprints(job, spec, outputs) : open_documents(job, options, plan_run(options), outputs, reporter);
  if (input.reader && spec.recipe_id == 0) spec.recipe_id = input.reader->recipe_id();
  announce(input, options, spec, fingerprints && !job.invocation.has("recipe") ? "" : recipe_label(Recipe::load(options.recipe)), reporter);
  return spec.bits == Fingerprint64::kBits ? build<Fingerprint64>(job, options, spec, input, outputs, reporter)
                                           : build<Fingerprint128>(job, options, spec, input, outputs, reporter);
}

int add_to_index(const IndexJob& job, Reporter& reporter) {
  const bool fingerprints = from_fingerprints(job);
  return with_index(job.folder, HammingAccess::kWrite, [&](auto& store) {
    const HammingStoreSpec& spec = store.spec();
    Options options = job.invocation.options;
    const bool given = job.invocation.has("recipe");
    // Ready fingerprints can be added without the recipe at hand.
    if (!fingerprints || given) options.recipe = index_recipe(job.folder, spec, given ? options.recipe : "");
    if (fingerprints && !spec.names && !all_arrays(job.arguments)) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the index '{}' has no names: it was built from an array, and takes arrays only (.npy, .bin)", job.folder));
    }
    Outputs outputs(job.invocation, {});
    const Input input =
        fingerprints ? open_fingerprints(job, spec, outputs) : open_documents(job, options, plan_run(options), outputs, reporter);
    announce(input, options, spec,
             fingerprints && !given ? (spec.recipe_id == 0 ? "" : fmt::format("{:016x}", spec.recipe_id))
                                    : recipe_label(Recipe::load(options.recipe)),
             reporter);
    return fill(options, store, input, outputs, reporter);
  });
}

}  // namespace neardup::cli
