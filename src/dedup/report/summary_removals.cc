#include "dedup/report/summary_removals.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "dedup/report/summary_parts.h"
#include "neardup/tools/printable.h"
#include "neardup/tools/readable.h"
#include "neardup/tools/threshold.h"

namespace neardup {
namespace {

constexpr uint64_t kBarWidth = 30;
constexpr size_t kNameBytes = 100;  // an id may be a whole page

// In tenths of a percent, rounded; never 0 or 100 for a part that is neither nothing nor all.
std::string percent(uint64_t part, uint64_t whole) {
  const uint64_t tenths = (part * 1000 + whole / 2) / whole;
  if (tenths == 0 && part > 0) return "less than 0.1 %";
  if (tenths == 1000 && part < whole) return "more than 99.9 %";
  return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

// One line; both ends of a long name tell more than its beginning.
std::string short_name(const NamedDocument& document) {
  std::string name = printable(document.name());
  if (name.size() <= kNameBytes) return name;
  constexpr size_t kPart = kNameBytes / 2;
  const auto inside_character = [&](size_t at) { return (static_cast<unsigned char>(name[at]) & 0xC0) == 0x80; };
  size_t head = kPart;
  while (head > 0 && inside_character(head)) --head;
  size_t tail = name.size() - kPart;
  while (tail < name.size() && inside_character(tail)) ++tail;
  return fmt::format("{}...{}", std::string_view(name).substr(0, head), std::string_view(name).substr(tail));
}

// At least two decimals, and as many as it needs.
std::string decimal(uint32_t millionths) {
  std::string text = fmt::format("{}.{:06}", millionths / Threshold::kOne, millionths % Threshold::kOne);
  while (text.ends_with('0') && text.size() > 4) text.pop_back();
  return text;
}

struct Row {
  std::string label;
  uint64_t removed;
};

std::string similarity_label(const RemovalBand& band) {
  if (band.from == 0) return fmt::format("below {}", decimal(band.to));
  return band.from == band.to ? decimal(band.from) : fmt::format("{}-{}", decimal(band.from), decimal(band.to));
}

std::string distance_label(const RemovalBand& band, uint32_t max_distance) {
  if (band.from > max_distance) return fmt::format("over {}", max_distance);
  return band.from == band.to ? fmt::format("{}", band.from) : fmt::format("{}-{}", band.from, band.to);
}

// A bar for each row, in proportion to the longest.
void write_rows(const std::vector<Row>& rows, std::string& text) {
  size_t label_width = 0;
  uint64_t most = 1;
  for (const Row& row : rows) {
    label_width = std::max(label_width, row.label.size());
    most = std::max(most, row.removed);
  }
  const size_t number_width = grouped(most).size();
  for (const Row& row : rows) {
    append_format(text, "  {:<{}}  {:>{}}", row.label, label_width, grouped(row.removed), number_width);
    const uint64_t length = (row.removed * kBarWidth + most - 1) / most;
    if (length > 0) append_format(text, "  {}", std::string(length, '#'));
    text += '\n';
  }
}

void write_bands(const Summary& s, std::string& text) {
  const bool by_distance = !s.distance_bands.empty();
  if (!by_distance && s.similarity_bands.empty()) return;
  std::vector<Row> rows;
  if (s.exact_copies > 0) rows.push_back({"exact copy", s.exact_copies});
  for (const RemovalBand& band : s.similarity_bands) rows.push_back({similarity_label(band), band.removed});
  for (const RemovalBand& band : s.distance_bands) rows.push_back({distance_label(band, s.max_distance), band.removed});
  append_format(text, "removed by {} {} the keeper{}:\n",
                by_distance                       ? "distance"
                : s.estimated                     ? "estimated similarity"
                : s.contained > 0                 ? "containment"
                : s.measure == "cosine"           ? "cosine"
                : s.measure == "weighted-jaccard" ? "weighted Jaccard similarity"
                                                  : "similarity",
                s.contained > 0 ? "in" : "to", s.estimated ? ", which is not verified" : "");
  write_rows(rows, text);
}

void write_least_similar(const Summary& s, std::string& text) {
  if (s.least_similar.empty()) return;
  append_format(text, "least {} removed documents -> their keepers:\n", s.contained > 0 ? "contained" : "similar");
  const bool by_distance = !s.distance_bands.empty();
  for (const RemovedPair& pair : s.least_similar) {
    append_format(text, "  {}  {} -> {}\n",
                  by_distance ? fmt::format("distance {}", pair.distance) : fmt::format("{:.3f}", pair.similarity),
                  short_name(pair.removed), short_name(pair.keeper));
  }
}

void write_document(const NamedDocument& document, std::string_view prefix, std::string& text) {
  append_format(text, R"("{0}id":{1},"{0}source":{2},"{0}row":{3})", prefix,
                document.id.empty() ? "null" : summary_parts::json_string(document.id), summary_parts::json_string(document.source),
                document.row);
}

void write_bands_json(std::string_view name, const std::vector<RemovalBand>& bands, double unit, std::string& text) {
  append_format(text, "\"{}\":[", name);
  for (const RemovalBand& band : bands) {
    append_format(text, R"({}{{"from":{},"to":{},"removed":{}}})", &band == bands.data() ? "" : ",", fmt::format("{:g}", band.from / unit),
                  fmt::format("{:g}", band.to / unit), band.removed);
  }
  text += "],";
}

}  // namespace

std::string NamedDocument::name() const {
  return id.empty() ? fmt::format("{}:{}", source, row) : id;
}

namespace summary_parts {

void write_removals(const Summary& s, std::string& text) {
  if (s.removed == 0) {
    if (s.kept > 0) text += "no duplicates found\n";
    return;
  }
  append_format(text, "removed {} of {}: ", percent(s.removed, s.kept + s.removed), counted(s.kept + s.removed, "document"));
  std::string parts;
  const auto part = [&](uint64_t documents, const std::string& words) {
    if (documents > 0) parts += (parts.empty() ? "" : ", ") + words;
  };
  part(s.exact_copies, counted(s.exact_copies, "exact copy", "exact copies"));
  part(s.near_duplicates, counted(s.near_duplicates, "near-duplicate"));
  part(s.contained, fmt::format("{} contained in a kept document", grouped(s.contained)));
  part(s.connected, fmt::format("{} connected but below the threshold to their keeper", grouped(s.connected)));
  append_format(text, "{}\n", parts);
  append_format(text, "clusters: {}{} of {}, keeper {}\n", grouped(s.clusters), s.clusters == 1 ? "," : ", the largest",
                counted(s.largest_cluster, "document"), short_name(s.largest_cluster_keeper));
  write_bands(s, text);
  write_least_similar(s, text);
}

void write_removals_json(const Summary& s, std::string& text) {
  append_format(text, "\"clusters\":{},\"largest_cluster\":", s.clusters);
  if (s.clusters == 0) {
    text += "null,";
  } else {
    append_format(text, "{{\"size\":{},", s.largest_cluster);
    write_document(s.largest_cluster_keeper, "keeper_", text);
    text += "},";
  }
  write_bands_json("similarity_bands", s.similarity_bands, Threshold::kOne, text);
  write_bands_json("distance_bands", s.distance_bands, 1, text);
  text += "\"least_similar\":[";
  for (const RemovedPair& pair : s.least_similar) {
    if (&pair != s.least_similar.data()) text += ',';
    text += '{';
    write_document(pair.removed, "", text);
    text += ',';
    write_document(pair.keeper, "keeper_", text);
    append_format(text, R"(,"similarity":{:.6f},"distance":{}}})", pair.similarity,
                  s.distance_bands.empty() ? "null" : fmt::format("{}", pair.distance));
  }
  append_format(text, "],\"estimated\":{},", s.estimated);
}

}  // namespace summary_parts
}  // namespace neardup
