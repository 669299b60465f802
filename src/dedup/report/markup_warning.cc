#include "dedup/report/markup_warning.h"

#include <fmt/format.h>

namespace neardup {

void warn_of_markup(const DocumentSource& source, const Recipe& recipe, Summary& summary) {
  // The names of cleaners are versions, so what they may be is known; a description is canonical JSON.
  for (const char* cleaner : {"\"html_v1\"", "\"tags_v1\""}) {
    if (recipe.clean.find(cleaner) != std::string::npos) return;
  }
  for (uint32_t i = 0; i < source.source_count(); ++i) {
    if (!source.holds_html(i)) continue;
    summary.warnings.push_back(
        fmt::format("{}: input is HTML but recipe '{}' does not strip markup; use a recipe with \"clean\": [\"html_v1\"]",
                    source.source_name(i), recipe.name));
    return;
  }
}

}  // namespace neardup
