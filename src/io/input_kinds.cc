#include "neardup/tools/input_kinds.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "io/port/source_traits.h"
#include "io/table/table_file.h"
#include "neardup/io.h"

namespace neardup {
namespace {

// In the order of the counts.
enum class Place : uint8_t { kLines, kText, kHtml, kWarc, kParquet, kCsv, kTsv, kDatabase };

Place place_of(const DocumentSource& source, const TraitsOf& traits, uint32_t i) {
  if (is_uri(source.source_name(i))) return Place::kDatabase;
  if (const TableFile* const table = traits.table_of(i)) {
    return table->kind == TableKind::kParquet ? Place::kParquet : table->kind == TableKind::kCsv ? Place::kCsv : Place::kTsv;
  }
  if (traits.is_archive(i)) return Place::kWarc;
  if (!traits.is_text(i)) return Place::kLines;
  return source.holds_html(i) ? Place::kHtml : Place::kText;
}

}  // namespace

InputKinds input_kinds(const DocumentSource& source, uint32_t first) {
  const TraitsOf traits(source);
  InputKinds kinds;
  for (uint32_t i = first; i < source.source_count(); ++i) {
    if (is_uri(source.source_name(i))) {
      kinds.databases = true;
    } else if (traits.table_of(i) != nullptr) {
      kinds.tables = true;
    } else if (traits.is_archive(i)) {
      kinds.archives = true;
    } else if (traits.is_text(i)) {
      kinds.texts = true;
    } else {
      kinds.lines = true;
    }
  }
  return kinds;
}

std::vector<KindCount> kind_counts(const DocumentSource& source, uint32_t first) {
  std::array<KindCount, 8> counts{{{"JSON Lines", "json_lines"},
                                   {"text", "text"},
                                   {"HTML", "html"},
                                   {"WARC", "warc"},
                                   {"Parquet", "parquet"},
                                   {"CSV", "csv"},
                                   {"TSV", "tsv"},
                                   {"database", "database"}}};
  const TraitsOf traits(source);
  for (uint32_t i = first; i < source.source_count(); ++i) ++counts[static_cast<size_t>(place_of(source, traits, i))].inputs;
  std::vector<KindCount> present;
  std::ranges::copy_if(counts, std::back_inserter(present), [](const KindCount& count) { return count.inputs > 0; });
  return present;
}

}  // namespace neardup
