// TableKind: which kind of table a name or an input format means.
#pragma once

#include <cstdint>
#include <string_view>

#include "neardup/options.h"

namespace neardup {

enum class TableKind : uint8_t { kNone, kParquet, kCsv, kTsv };

/// By the end of the name: .parquet; .csv and .tsv, also when followed by .gz, .zst or .bz2.
TableKind table_kind_of(std::string_view name) noexcept;
/// kNone for the formats that are not tables.
TableKind table_kind_of(InputFormat format) noexcept;

}  // namespace neardup
