#include "cli/index/index_verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include "cli/index/index_store.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/fingerprint_options.h"
#include "cli/options/given_ids.h"
#include "cli/options/local_options.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/outputs.h"
#include "cli/terminal/reporter.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/fingerprint_files.h"
#include "neardup/tools/index_documents.h"
#include "neardup/tools/index_fingerprints.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/run_recipe.h"

namespace neardup::cli {
namespace {

constexpr size_t kShownIds = 5;  // shown ids that delete did not find

// The input: documents, or ready fingerprints.
struct IndexInput {
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

IndexInput open_documents(const IndexJob& job, const Options& options, const RunPlan& plan, RunOutputs& outputs, Reporter& reporter) {
  IndexInput input;
  input.source = open_inputs(job.arguments, options, plan, reporter);
  check_effects(job.invocation, nullptr, input_kinds(*input.source));
  outputs.check(*input.source);
  if (outputs.has("rejects")) input.rejects = make_reject_sink(outputs.path("rejects"), *input.source);
  return input;
}

IndexInput open_fingerprints(const IndexJob& job, const HammingStoreSpec& spec, RunOutputs& outputs) {
  outputs.check(job.arguments);
  IndexInput input;
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
int fill(const Options& options, HammingStore<Code>& store, const IndexInput& input, RunOutputs& outputs, Reporter& reporter) {
  RunHooks hooks;
  hooks.source = input.source.get();
  hooks.rejects = input.rejects.get();
  hooks.progress = [&](const Progress& progress) { reporter.progress(progress); };
  hooks.stop = interrupted;
  const IndexSummary summary = input.reader ? index_fingerprints(options, store, {hooks, input.reader.get(), input.rejected_lines.get()})
                                            : index_documents(options, store, hooks);
  return outputs.finish({.text = summary.to_text(outputs.verbose()), .json = summary.to_json(), .warnings = summary.warnings},
                        summary.rejected, reporter);
}

void announce(const IndexInput& input, const Options& options, const HammingStoreSpec& spec, const std::string& recipe,
              Reporter& reporter) {
  const RunPlan plan = plan_run(options);
  const std::string machine = input.source ? machine_label(plan, *input.source) : counted(plan.threads, "thread");
  reporter.start(fmt::format("{}, {}, {}", spec_label(spec, recipe), machine, memory_label(options, plan)),
                 fmt::format(R"({}"bits":{},"max_distance":{},"threads":{},"memory_bytes":{})",
                             spec.recipe_id == 0 ? "" : fmt::format(R"("recipe_id":"{:016x}",)", spec.recipe_id), spec.bits, spec.radius,
                             plan.threads, plan.memory_bytes));
}

// Of fingerprints that are given, the recipe may not be known.
HammingStoreSpec spec_of_fingerprints(const IndexJob& job) {
  const Options& options = job.invocation.options;
  if (job.invocation.has("recipe")) {
    if (job.invocation.has("bits")) throw Error(ErrorCode::kUsage, "--bits cannot be combined with --recipe, which sets it");
    HammingStoreSpec spec = index_spec(options);
    spec.names = !all_arrays(job.arguments);
    return spec;
  }
  const std::string bits = job.invocation.value("bits", "64");
  if (bits != "64" && bits != "128") throw Error(ErrorCode::kUsage, fmt::format("--bits: expected 64 or 128, not '{}'", bits));
  return {.bits = bits == "64" ? 64u : 128u, .radius = options.max_distance, .names = !all_arrays(job.arguments)};
}

template <typename Code>
int build(const IndexJob& job, const Options& options, const HammingStoreSpec& spec, const IndexInput& input, RunOutputs& outputs,
          Reporter& reporter) {
  HammingStore<Code> store = HammingStore<Code>::create(job.folder, spec);
  return fill(options, store, input, outputs, reporter);
}

HammingStoreBuild build_of(const Options& options) {
  return {.threads = options.threads, .memory = plan_run(options).memory_bytes, .temp_dir = options.temp_dir, .stop = interrupted};
}

// The entries of the names, and which names have none.
struct FoundEntries {
  std::vector<uint64_t> entries;
  std::vector<std::string> unknown;
};

template <typename Code>
FoundEntries find(const HammingStore<Code>& store, const std::vector<std::string>& ids) {
  FoundEntries found;
  if (store.spec().names) {
    std::vector<bool> known(ids.size(), false);
    store.find_names(ids, [&](size_t position, uint64_t id) {
      known[position] = true;
      found.entries.push_back(id);
    });
    for (size_t i = 0; i < ids.size(); ++i) {
      if (!known[i]) found.unknown.push_back(ids[i]);
    }
    return found;
  }
  const uint64_t next = store.stat().next_id;
  for (const std::string& id : ids) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    if (error == std::errc() && end == id.data() + id.size() && number < next) {
      found.entries.push_back(number);
    } else {
      found.unknown.push_back(id);
    }
  }
  return found;
}

struct SegmentSums {
  uint64_t bytes = 0;
  uint64_t distinct = 0;  // those of the segments, which may share some
  explicit SegmentSums(const HammingStoreStat& stat) {
    for (const HammingSegmentStat& segment : stat.segments) {
      bytes += segment.bytes;
      distinct += segment.distinct;
    }
  }
  [[nodiscard]] double per_entry(uint64_t entries) const {
    return entries == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(entries);
  }
};

void say_stat_text(const HammingStoreStat& stat) {
  const SegmentSums sums(stat);
  const HammingStoreSpec& spec = stat.spec;
  const std::string name = spec.recipe_id == 0 ? "not known" : preset_with_id(spec.recipe_id);
  say("index         {}\n", stat.folder);
  say("recipe        {}\n", spec.recipe_id == 0 ? name : fmt::format("{:016x}{}", spec.recipe_id, name.empty() ? "" : " (" + name + ")"));
  say("fingerprints  {} bits, distance at most {}\n", spec.bits, spec.radius);
  say("ids           {}\n", spec.names ? "names" : "numbers");
  say("entries       {}{}\n", grouped(stat.entries),
      stat.removed_ids == 0 ? "" : fmt::format(", {} to be dropped by the next merge", counted(stat.removed_ids, "removed id")));
  say("distinct      {}{}\n", grouped(sums.distinct), stat.segments.size() > 1 ? ", summed over the segments" : "");
  say("bytes         {} ({:.1f} an entry)\n", grouped(sums.bytes), sums.per_entry(stat.entries));
  say("segments      {}\n", stat.segments.size());
  if (stat.segments.empty()) return;
  say("\n{:<20} {:>14} {:>14} {:>16}   {}\n", "segment", "entries", "distinct", "bytes", "plan (bits+flips of each table)");
  for (const HammingSegmentStat& segment : stat.segments) {
    say("{:<20} {:>14} {:>14} {:>16}   {}\n", segment.file, grouped(segment.entries), grouped(segment.distinct), grouped(segment.bytes),
        segment.plan.empty() ? "a scan" : segment.plan);
  }
}

void say_stat_json(const HammingStoreStat& stat) {
  const SegmentSums sums(stat);
  std::string segments;
  for (const HammingSegmentStat& segment : stat.segments) {
    segments += fmt::format(R"({}{{"file":{},"entries":{},"distinct":{},"bytes":{},"plan":{}}})", segments.empty() ? "" : ",",
                            json_quote(segment.file), segment.entries, segment.distinct, segment.bytes, json_quote(segment.plan));
  }
  const HammingStoreSpec& spec = stat.spec;
  say_json(fmt::format(
      R"({{"index":{},"recipe_id":{},"recipe":{},"bits":{},"max_distance":{},"names":{},"entries":{},"removed_ids":{},"distinct":{},)"
      R"("bytes":{},"bytes_per_entry":{:.2f},"segments":[{}]}})"
      "\n",
      json_quote(stat.folder), spec.recipe_id == 0 ? "null" : fmt::format("\"{:016x}\"", spec.recipe_id),
      spec.recipe.empty() ? "null" : spec.recipe, spec.bits, spec.radius, spec.names, stat.entries, stat.removed_ids, sums.distinct,
      sums.bytes, sums.per_entry(stat.entries), segments));
}

}  // namespace

std::vector<std::string> ids_of(const IndexJob& job) {
  return given_ids(job.invocation, job.arguments, "neardup index delete INDEX ID... | INDEX --ids FILE");
}

void refuse_existing_index(const std::string& folder) {
  if (find_hamming_store(folder) != HammingStorePlace::kStore || hamming_store_unused(folder)) return;
  throw Error(ErrorCode::kOutput,
              fmt::format("'{0}' is an index already; neardup index add {0} adds to it; choose another name for a new one", folder));
}

int build_index(const IndexJob& job, Reporter& reporter) {
  refuse_existing_index(job.folder);
  const bool fingerprints = from_fingerprints(job);
  Options options = job.invocation.options;
  HammingStoreSpec spec = fingerprints ? spec_of_fingerprints(job) : index_spec(options);
  if (spec.radius > spec.bits) {
    throw Error(ErrorCode::kUsage, fmt::format("--max-distance: {} is above the {} bits of a fingerprint", spec.radius, spec.bits));
  }
  if (fingerprints && !job.invocation.has("recipe")) options.max_distance = Options().max_distance;  // has no meaning for words-5
  RunOutputs outputs(job.invocation, {});
  const IndexInput input =
      fingerprints ? open_fingerprints(job, spec, outputs) : open_documents(job, options, plan_run(options), outputs, reporter);
  if (input.reader && spec.recipe_id == 0) spec.recipe_id = input.reader->recipe_id();
  announce(input, options, spec, fingerprints && !job.invocation.has("recipe") ? "" : recipe_label(run_recipe(options)), reporter);
  return spec.bits == Fingerprint64::kBits ? build<Fingerprint64>(job, options, spec, input, outputs, reporter)
                                           : build<Fingerprint128>(job, options, spec, input, outputs, reporter);
}

int add_to_index(const IndexJob& job, Reporter& reporter) {
  const bool fingerprints = from_fingerprints(job);
  return with_index(job.folder, HammingAccess::kWrite, [&](auto& store) {
    const HammingStoreSpec& spec = store.spec();
    Options options = job.invocation.options;
    const bool given = job.invocation.has("recipe");
    // Ready fingerprints can be added without the recipe file.
    if (!fingerprints || given) options = with_index_recipe(job.folder, spec, options, given);
    if (fingerprints && !spec.names && !all_arrays(job.arguments)) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the index '{}' has no names: it was built from an array, and takes arrays only (.npy, .bin)", job.folder));
    }
    RunOutputs outputs(job.invocation, {});
    const IndexInput input =
        fingerprints ? open_fingerprints(job, spec, outputs) : open_documents(job, options, plan_run(options), outputs, reporter);
    announce(
        input, options, spec,
        fingerprints && !given ? (spec.recipe_id == 0 ? "" : fmt::format("{:016x}", spec.recipe_id)) : recipe_label(run_recipe(options)),
        reporter);
    return fill(options, store, input, outputs, reporter);
  });
}

int delete_from_index(const IndexJob& job, Reporter& reporter) {
  const std::vector<std::string> ids = ids_of(job);
  return with_index(job.folder, HammingAccess::kWrite, [&](auto& store) -> int {
    const FoundEntries found = find(store, ids);
    for (const uint64_t entry : found.entries) store.remove(entry);
    store.flush(build_of(job.invocation.options));
    for (size_t i = 0; i < std::min(found.unknown.size(), kShownIds); ++i)
      reporter.warning(fmt::format("id '{}' is not in '{}'", found.unknown[i], job.folder));
    const std::string known = grouped(ids.size() - found.unknown.size());
    const std::string unknown = grouped(found.unknown.size());
    if (store.spec().names) {
      reporter.note(fmt::format("deleted {} of {} ({} not found); {} removed from '{}'", known, counted(ids.size(), "id"), unknown,
                                counted(found.entries.size(), "entry", "entries"), job.folder));
    } else {  // which numbers still had an entry is unknown
      reporter.note(
          fmt::format("marked {} of {} as deleted ({} not found) in '{}'", known, counted(ids.size(), "id"), unknown, job.folder));
    }
    return job.invocation.options.strict && !found.unknown.empty() ? kExitRejects : kExitOk;
  });
}

int merge_index(const IndexJob& job, Reporter& reporter) {
  const uint64_t most = local_number(job.invocation, "segments", 1, 1, 1'000'000);
  return with_index(job.folder, HammingAccess::kWrite, [&](auto& store) -> int {
    const auto label = [&] {
      const HammingStoreStat stat = store.stat();
      return fmt::format("{} in {}", counted(stat.entries, "entry", "entries"), counted(stat.segments.size(), "segment"));
    };
    const std::string before = label();
    reporter.start(fmt::format("{} of '{}'", before, job.folder), fmt::format(R"("index":{})", json_quote(job.folder)));
    store.merge(most, build_of(job.invocation.options));
    reporter.note(fmt::format("{}, before {}", label(), before));
    return kExitOk;
  });
}

int show_index(const IndexJob& job, Reporter&) {
  end_by_interrupts();
  const HammingStoreStat stat = with_index(job.folder, HammingAccess::kRead, [](auto& store) { return store.stat(); });
  job.invocation.has("json") ? say_stat_json(stat) : say_stat_text(stat);
  return kExitOk;
}

int verify_index(const IndexJob& job, Reporter& reporter) {
  end_by_interrupts();
  return with_index(job.folder, HammingAccess::kRead, [&](auto& store) -> int {
    store.verify(job.invocation.options.threads);
    const HammingStoreStat stat = store.stat();
    reporter.note(fmt::format("index '{}' verified: no damage, {}, {}", job.folder, counted(stat.segments.size(), "segment"),
                              data_size(SegmentSums(stat).bytes)));
    return kExitOk;
  });
}

}  // namespace neardup::cli
