// The format that the end of a name selects for an output or a table. Case is ignored: KEPT.CSV is kept.csv. format_ending() of
// neardup/io.h is implemented here, too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/ascii.h"
#include "neardup/options.h"

namespace neardup {

/// `ending` is in lower case, like ".jsonl".
inline bool has_ending(std::string_view name, std::string_view ending) noexcept {
  return name.size() >= ending.size() &&
         std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, [](char c) { return ascii_lower(c); });
}

/// The kind of table that a name or an input format selects.
enum class TableKind : uint8_t { kNone, kParquet, kCsv, kTsv };

/// By the end of the name: .parquet; .csv and .tsv, also when followed by .gz, .zst or .bz2.
TableKind table_kind_of(std::string_view name) noexcept;
/// kNone for the formats that are not tables.
TableKind table_kind_of(InputFormat format) noexcept;

}  // namespace neardup
