#include "dedup/report/input_warnings.h"

#include <fmt/format.h>

#include "dedup/corpus/keep_policy.h"
#include "dedup/report/summary_parts.h"
#include "neardup/tools/readable.h"

namespace neardup {

void warn_of_malformed_texts(uint64_t texts, std::vector<std::string>& warnings) {
  if (texts == 0) return;
  warnings.push_back(
      fmt::format("{} bytes that are not of the expected charset, read as U+FFFD; try --charset auto, which detects the "
                  "charset of each file",
                  texts == 1 ? "1 text file has" : grouped(texts) + " text files have"));
}

void warn_of_invalid_ids(uint64_t ids, std::vector<std::string>& warnings) {
  if (ids == 0) return;
  warnings.push_back(fmt::format("ids that are not a string or number: {}; these documents are kept without an id", grouped(ids)));
}

void warn_of_rank_values(const std::string& keep, uint64_t without, uint64_t documents, std::vector<std::string>& warnings) {
  const std::string field = KeepPolicy::parse(keep).field();
  if (field.empty() || without == 0) return;
  if (without == documents) {
    warnings.push_back(fmt::format("--keep {}: no record has a number in field '{}'; fell back to input order", keep, field));
    return;
  }
  warnings.push_back(fmt::format("--keep {}: {} of {} documents have no number in field '{}'; they rank after the others", keep,
                                 grouped(without), grouped(documents), field));
}

void warn_of_blocks(const std::string& field, uint64_t without, uint64_t documents, std::vector<std::string>& warnings) {
  if (field.empty() || without == 0) return;
  warnings.push_back(fmt::format("--block-on {}: {} of {} have no usable value in this field (a string or number); they form one block",
                                 field, grouped(without), counted(documents, "document", "documents")));
}

void warn_of_markup(const DocumentSource& source, const Options& options, const Recipe& recipe, std::vector<std::string>& warnings) {
  if (options.clean == "none") return;  // as the user wants it
  // The names of cleaners are versions, so what they may be is known; a description is canonical JSON.
  for (const char* cleaner : {"\"html_v1\"", "\"tags_v1\""}) {
    if (recipe.clean.find(cleaner) != std::string::npos) return;
  }
  for (uint32_t i = 0; i < source.source_count(); ++i) {
    if (!source.holds_html(i)) continue;
    warnings.push_back(
        fmt::format("{}: input is HTML but recipe '{}' does not strip markup; use --clean html", source.source_name(i), recipe.name));
    return;
  }
}

}  // namespace neardup
