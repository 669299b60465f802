#include "neardup/tools/run_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/error.h"

namespace neardup {

TextPlace text_place(const RunRecord& record, const DocumentId& where) {
  if (where.source >= record.source_count() || record.source_kind(where.source) == RunRecord::SourceKind::kIndex) {
    throw Error(ErrorCode::kInput, fmt::format("the keeper is an entry of the index '{}', which has no texts",
                                               where.source < record.source_count() ? record.source_name(where.source) : ""));
  }
  TextPlace place{.source = std::string(record.source_name(where.source)), .row = where.row};
  place.state = record.source_state(where.source);
  if (const auto number = record.find(where)) {
    const RunRecord::Entry entry = record.entry(*number);
    place.offset = entry.offset;
    place.id = entry.id;
    place.has_id = entry.has_id;
  }
  return place;
}

RunTexts::RunTexts(const RunRecord& record, std::vector<std::string> inputs, SourceOptions options)
    : record_(record), sources_(std::move(inputs), std::move(options)) {}

void RunTexts::read(std::span<const DocumentId> wanted, const Visit& visit) const {
  std::vector<DocumentId> places(wanted.begin(), wanted.end());
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  // Source by source in input order; SourceTexts itself orders them by name.
  for (size_t begin = 0; begin < places.size();) {
    size_t end = begin;
    std::vector<TextPlace> named;
    while (end < places.size() && places[end].source == places[begin].source) named.push_back(text_place(record_, places[end++]));
    sources_.read(named, [&](size_t place, const Record& found) { visit(places[begin + place], found); });
    begin = end;
  }
}

}  // namespace neardup
