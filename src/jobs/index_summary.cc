#include <fmt/format.h>

#include "base/format.h"
#include "dedup/report/summary_parts.h"
#include "neardup/tools/index_documents.h"
#include "neardup/tools/readable.h"

namespace neardup {

std::string IndexSummary::to_text() const {
  using namespace summary_parts;
  std::string text;
  append_format(text, "read {} = added {} + too short {} + rejected {}\n", grouped(read), grouped(added), grouped(too_short),
                grouped(rejected));
  write_rejects(rejected_by_kind, text, recipe_name.empty() ? "the fingerprint" : kTextField);
  if (too_short > 0) append_format(text, "too short for a fingerprint: {}, left out of the index\n", grouped(too_short));
  if (repaired > 0) append_format(text, "repaired texts: {}, malformed characters read as U+FFFD\n", grouped(repaired));
  write_invalid_ids(invalid_ids, text);
  append_format(text, "index: {} in {}, {}\n", counted(entries, "entry", "entries"), counted(segments, "segment", "segments"),
                data_size(index_bytes));
  write_passes(passes, text_bytes, text);
  write_machine(peak_memory_bytes, spilled_bytes, threads, kernels, text);
  return text;
}

std::string IndexSummary::to_json() const {
  using namespace summary_parts;
  std::string text = fmt::format(
      R"({{"read":{},"added":{},"too_short":{},"rejected":{},"rejected_by_kind":{},"repaired":{},"malformed_texts":{},"invalid_ids":{},"text_bytes":{},"entries":{},)"
      R"("segments":{},"index_bytes":{},"spilled_bytes":{},"peak_memory_bytes":{},)",
      read, added, too_short, rejected, rejected_by_kind.to_json(), repaired, malformed_texts, invalid_ids, text_bytes, entries, segments,
      index_bytes, spilled_bytes, peak_memory_bytes);
  append_format(text, R"("recipe_id":"{:016x}","recipe_name":{},"kernels":{},"threads":{},)", recipe_id, json_string(recipe_name),
                json_string(kernels), threads);
  write_lists(passes, warnings, text);
  return text + "}";
}

}  // namespace neardup
