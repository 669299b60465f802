#include "cli/run/inputs.h"

namespace neardup::cli {

std::unique_ptr<DocumentSource> open_inputs(const std::vector<std::string>& inputs, const Options& options, const RunPlan& plan,
                                            Reporter& reporter, const InputUse& use) {
  using Checks = SourceOptions::FieldChecks;
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
  source_options.where = options.where;
  source_options.key = options.key;
  source_options.charset = options.charset;
  source_options.duckdb_library = options.duckdb_library;
  source_options.memory = plan.memory_bytes;
  source_options.rank_field = plan.rank_field;
  source_options.max_record_bytes = options.max_record_bytes;
  source_options.temp_dir = options.temp_dir;
  return open_source(inputs, source_options);
}

}  // namespace neardup::cli
