// InputKinds: the kinds of inputs of a run. kind_counts(): how many of each.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/source.h"

namespace neardup {

struct InputKinds {
  bool lines = false;      ///< JSON Lines
  bool texts = false;      ///< text files and pages, each one document
  bool archives = false;   ///< WARC
  bool tables = false;     ///< Parquet, CSV, TSV
  bool databases = false;  ///< tables of a server or SQLite file, collections

  /// Documents have fields that can be named.
  [[nodiscard]] bool have_fields() const noexcept { return lines || archives || tables || databases; }
  [[nodiscard]] bool any() const noexcept { return texts || have_fields(); }
  friend bool operator==(const InputKinds&, const InputKinds&) = default;
};

/// The kinds of the sources from `first` on.
InputKinds input_kinds(const DocumentSource& source, uint32_t first = 0);

struct KindCount {
  std::string_view label;  ///< for people: "JSON Lines", "text", "HTML", "WARC", "Parquet", "CSV", "TSV", "database"
  std::string_view name;   ///< for programs: "json_lines", "text", "html", "warc", "parquet", "csv", "tsv", "database"
  uint32_t inputs = 0;
};
/// The kinds that the sources from `first` on have, in the order of the labels above. WARC includes WET; JSON documents count as JSON
/// Lines.
std::vector<KindCount> kind_counts(const DocumentSource& source, uint32_t first = 0);

}  // namespace neardup
