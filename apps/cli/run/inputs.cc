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

std::unique_ptr<DocumentSource> open_inputs(const std::vector<std::string>& inputs, const Options& options, const RunPlan& plan,
                                            Reporter& reporter, const InputUse& use) {
  using Checks = SourceOptions::FieldChecks;
  refuse_indexes(inputs);
  SourceOptions source_options;
  source_options.warn = [&reporter](const std::string& message) { reporter.warning(message); };
  source_options.once = use.once;
  source_options.exact_types = use.exact_types;
  source_options.field_checks = options.max_rejects.accepts_all() ? Checks::kNone : use.reference ? Checks::kText : Checks::kAll;
  source_options.required_fields = copied_fields(use.copied_fields);
  source_options.format = options.format;
  source_options.text_field = options.text_field;
  source_options.id_field = options.id_field;
  source_options.block_field = options.block_on;
  if (!use.reference) source_options.protect = options.protect;  // a reference corpus is kept anyway
  source_options.where = options.where;
  source_options.key = options.key;
  source_options.charset = options.charset;
  source_options.duckdb_library = options.duckdb_library;
  source_options.memory = plan.memory_bytes;
  source_options.rank_field = plan.rank_field;
  source_options.max_record_bytes = options.max_record_bytes;
  source_options.temp_dir = options.temp_dir;
  if (use.batch_bytes > 0) source_options.batch_bytes = use.batch_bytes;
  return open_source(inputs, source_options);
}

}  // namespace neardup::cli
