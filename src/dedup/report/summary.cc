#include "neardup/tools/summary.h"

#include <fmt/format.h>

#include <string>

#include "base/format.h"
#include "dedup/report/summary_parts.h"
#include "dedup/report/summary_removals.h"
#include "neardup/tools/readable.h"

namespace neardup {
namespace {

using namespace summary_parts;

void write_counts(const Summary& s, std::string& text) {
  if (s.has_verdicts) {
    append_format(text, "read {} = kept {} + removed {} + rejected {}\n", grouped(s.read), grouped(s.kept), grouped(s.removed),
                  grouped(s.rejected));
    write_removals(s, text);
  } else {
    append_format(text, "read {}, {} rejected\n", counted(s.read, s.rejected > 0 ? "record" : "document"), grouped(s.rejected));
  }
  write_rejects(s.rejected_by_kind, text);
  if (s.pairs > 0) append_format(text, "pairs: {}\n", grouped(s.pairs));
  if (s.reference_documents > 0) {
    append_format(text, "reference corpus: {}", counted(s.reference_documents, "document", "documents"));
    if (s.reference_rejected > 0)
      append_format(text, ", {} of them rejected: {}", grouped(s.reference_rejected), s.reference_rejected_by_kind.to_text());
    append_format(text, "\n");
  }
  if (s.reference_entries > 0)
    append_format(text, "index: {}, matched by {}\n", counted(s.reference_entries, "entry", "entries"),
                  counted(s.reference_matches, "document", "documents"));
  if (s.short_texts > 0) {
    append_format(text, "{} too short for similarity; compared for exact copies only\n",
                  counted(s.short_texts, "document is", "documents are"));
  }
  if (s.protected_documents > 0) {
    append_format(text, "protected: {}, {} of them kept although they match a kept one\n", counted(s.protected_documents, "document"),
                  grouped(s.spared));
  }
  if (s.repaired > 0) append_format(text, "repaired texts: {}, malformed characters read as U+FFFD\n", grouped(s.repaired));
  if (s.without_rank_value > 0) append_format(text, "documents without a number to rank by: {}\n", grouped(s.without_rank_value));
  write_invalid_ids(s.invalid_ids, text);
  if (s.duplicate_ids > 0) append_format(text, "duplicate ids: {}\n", grouped(s.duplicate_ids));
  if (s.capped_documents > 0) {
    append_format(text, "capped: {} given up at max_candidates; matches of theirs may be missed\n",
                  counted(s.capped_documents, "document was", "documents were"));
  }
}

// The threshold is one of weighted features, which bands know nothing of. Fingerprints have no bands.
bool is_weighted(const Summary& s) {
  return s.fingerprint_bits == 0 && (s.measure == "weighted-jaccard" || s.measure == "cosine");
}

void write_search(const Summary& s, std::string& text) {
  if (is_weighted(s)) text += s.measure == "cosine" ? "measure: cosine of weighted features\n" : "measure: weighted Jaccard similarity\n";
  if (s.bands > 0) {
    // With a second recipe the threshold is one of other features than the bands are of.
    append_format(text, "search: LSH, {} of {}, expected to miss {} of pairs {}{}\n", counted(s.bands, "band", "bands"),
                  counted(s.rows_per_band, "row", "rows"), percent(s.predicted_miss),
                  is_weighted(s) ? "whose Jaccard similarity without weights is the threshold" : "at exactly the threshold",
                  s.fingerprint_bits > 0 ? ", by the features of the MinHash recipe" : "");
  }
  if (s.sample_features > 0) {
    append_format(text, "search: by samples of {}, exact", counted(s.sample_features, "feature", "features"));
    if (s.predicted_miss > 0) {
      append_format(text, " for texts of up to {}; for larger ones expected to miss {:.6f} % of pairs at exactly the threshold",
                    counted(s.sample_certain, "feature", "features"), 100 * s.predicted_miss);
    }
    text += '\n';
  }
  if (s.fingerprint_bits > 0) {
    append_format(text, "search: fingerprints of {} bits, distance at most {}; no pair within it is missed\n", s.fingerprint_bits,
                  s.max_distance);
  }
  if (s.candidate_documents > 0) {
    append_format(text, "candidates: {}, largest group {}, {}\n", counted(s.candidate_documents, "document", "documents"),
                  grouped(s.largest_group), counted(s.verifications, "verification", "verifications"));
  }
  if (s.slices > 1) append_format(text, "decided in {} slices\n", grouped(s.slices));
}

}  // namespace

std::string Summary::to_text(bool verbose) const {
  std::string text;
  write_counts(*this, text);
  if (!verbose) return text;
  write_search(*this, text);
  write_passes(passes, text_bytes, text);
  write_machine(peak_memory_bytes, spilled_bytes, threads, kernels, text);
  return text;
}

std::string Summary::to_json() const {
  std::string text = "{";
  const auto number = [&](std::string_view name, auto value) { append_format(text, "\"{}\":{},", name, value); };
  number("read", read);
  number("kept", kept);
  number("removed", removed);
  number("rejected", rejected);
  number("rejected_by_kind", rejected_by_kind.to_json());
  number("exact_copies", exact_copies);
  number("near_duplicates", near_duplicates);
  number("contained", contained);
  number("connected", connected);
  write_removals_json(*this, text);
  number("short_texts", short_texts);
  number("protected_documents", protected_documents);
  number("spared", spared);
  number("repaired", repaired);
  number("malformed_texts", malformed_texts);
  number("invalid_ids", invalid_ids);
  number("duplicate_ids", duplicate_ids);
  number("without_rank_value", without_rank_value);
  number("reference_documents", reference_documents);
  number("reference_rejected", reference_rejected);
  number("reference_rejected_by_kind", reference_rejected_by_kind.to_json());
  number("reference_entries", reference_entries);
  number("reference_matches", reference_matches);
  number("text_bytes", text_bytes);
  number("pairs", pairs);
  number("candidate_documents", candidate_documents);
  number("verifications", verifications);
  number("capped_documents", capped_documents);
  number("largest_group", largest_group);
  number("measure", measure.empty() ? "null" : "\"" + measure + "\"");
  number("slices", slices);
  number("bands", bands);
  number("rows_per_band", rows_per_band);
  number("sample_features", sample_features);
  number("sample_certain", sample_certain);
  number("fingerprint_bits", fingerprint_bits);
  number("max_distance", max_distance);
  number("predicted_miss", fmt::format("{:.6g}", predicted_miss));
  number("spilled_bytes", spilled_bytes);
  number("peak_memory_bytes", peak_memory_bytes);
  // 64 bits do not survive a JSON reader that keeps numbers as doubles.
  append_format(text, R"("recipe_id":"{:016x}","recipe_name":{},"kernels":{},"threads":{},)", recipe_id, json_string(recipe_name),
                json_string(kernels), threads);
  write_lists(passes, warnings, text);
  return text + "}";
}

}  // namespace neardup
