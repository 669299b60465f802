// GenerateSummary: the report of generate().
#include <fmt/format.h>

#include "base/format.h"
#include "dedup/report/summary_parts.h"
#include "neardup/tools/generate.h"
#include "neardup/tools/readable.h"

namespace neardup {
std::string GenerateSummary::to_text(bool verbose) const {
  using namespace summary_parts;
  std::string text;
  append_format(text, "read {} = originals {}", grouped(read.read), grouped(originals));
  const auto part = [&](std::string_view name, uint64_t count) {
    if (count > 0) append_format(text, " + {} {}", name, grouped(count));
  };
  part("not sampled", not_sampled);
  part("too short", short_texts);
  part("with a text or id of another", same_texts);
  part("similar to another", similar);
  part("rejected", read.rejected);
  text += '\n';
  write_rejects(read.rejected_by_kind, text);
  write_invalid_ids(read.invalid_ids, text);
  append_format(text, "made {}; {} labelled as near-duplicates\n", counted(copies, "copy", "copies"), counted(pairs, "pair"));
  text += "kind         strength    copies  mean similarity\n";
  for (const Kind& kind : kinds) {
    append_format(text, "{:<12} {:<8} {:>9}", kind.kind, kind.strength.empty() ? "-" : kind.strength, grouped(kind.copies));
    if (kind.copies > 0) append_format(text, "  {:>15.3f}", kind.mean_similarity);
    text += '\n';
  }
  if (!verbose) return text;
  write_passes(read.passes, read.text_bytes, text);
  write_machine(read.peak_memory_bytes, 0, read.threads, read.kernels, text);
  return text;
}

std::string GenerateSummary::to_json() const {
  using namespace summary_parts;
  std::string text = fmt::format(
      R"({{"read":{},"originals":{},"not_sampled":{},"short_texts":{},"same_texts":{},"similar":{},"rejected":{},"rejected_by_kind":{},)"
      R"("copies":{},"pairs":{},"kinds":[)",
      read.read, originals, not_sampled, short_texts, same_texts, similar, read.rejected, read.rejected_by_kind.to_json(), copies, pairs);
  for (const Kind& kind : kinds) {
    append_format(text, R"({}{{"kind":"{}","strength":{},"copies":{},"mean_similarity":{:.6f}}})", &kind == kinds.data() ? "" : ",",
                  kind.kind, kind.strength.empty() ? "null" : json_string(kind.strength), kind.copies, kind.mean_similarity);
  }
  append_format(text, R"(],"invalid_ids":{},"text_bytes":{},"peak_memory_bytes":{},"kernels":{},"threads":{},)", read.invalid_ids,
                read.text_bytes, read.peak_memory_bytes, json_string(read.kernels), read.threads);
  write_lists(read.passes, read.warnings, text);
  return text + "}";
}

}  // namespace neardup
