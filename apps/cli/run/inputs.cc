#include "cli/run/inputs.h"

#include <fmt/format.h>

#include "cli/index/index_store.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

// Without this, the files of the index would be reported as having the wrong endings.
void refuse_indexes(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (is_uri(input) || find_hamming_store(input) != HammingStorePlace::kStore) continue;
    if (is_clue_index(input)) {
      throw Error(ErrorCode::kUsage, fmt::format("'{}' is a clue index, not an input: give the documents that it was built from; neardup "
                                                 "search finds passages in it",
                                                 input));
    }
    throw Error(ErrorCode::kUsage, fmt::format("'{0}' is an index of fingerprints, which has no texts; neardup dedup INPUT --against {0} "
                                               "compares with it",
                                               input));
  }
}

}  // namespace

SourceOptions source_options(const Options& options, const RunPlan& plan, Reporter& reporter, const InputUse& use) {
  using Checks = SourceOptions::FieldChecks;
  SourceOptions source;
  source.warn = [&reporter](const std::string& message) { reporter.warning(message); };
  source.once = use.once;
  source.exact_types = use.exact_types;
  source.field_checks = options.max_rejects.accepts_all() ? Checks::kNone : use.reference ? Checks::kText : Checks::kAll;
  source.required_fields = copied_fields(use.copied_fields);
  source.format = options.format;
  source.text_field = options.text_field;
  source.id_field = options.id_field;
  source.block_field = options.block_on;
  if (!use.reference) source.protect = options.protect;  // a reference corpus is kept anyway
  source.where = options.where;
  source.key = options.key;
  source.charset = options.charset;
  source.duckdb_library = options.duckdb_library;
  source.memory = plan.memory_bytes;
  source.rank_field = plan.rank_field;
  source.max_record_bytes = options.max_record_bytes;
  source.temp_dir = options.temp_dir;
  if (use.batch_bytes > 0) source.batch_bytes = use.batch_bytes;
  return source;
}

std::unique_ptr<DocumentSource> open_inputs(const std::vector<std::string>& inputs, const Options& options, const RunPlan& plan,
                                            Reporter& reporter, const InputUse& use) {
  refuse_indexes(inputs);
  return open_source(inputs, source_options(options, plan, reporter, use));
}

}  // namespace neardup::cli
