#include "io/port/table_kind.h"

#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"

namespace neardup {

TableKind table_kind_of(std::string_view name) noexcept {
  if (has_ending(name, ".parquet")) return TableKind::kParquet;
  const std::string_view plain = without_compression_suffix(name);
  if (has_ending(plain, ".csv")) return TableKind::kCsv;
  return has_ending(plain, ".tsv") ? TableKind::kTsv : TableKind::kNone;
}

TableKind table_kind_of(InputFormat format) noexcept {
  switch (format) {
    case InputFormat::kParquet:
      return TableKind::kParquet;
    case InputFormat::kCsv:
      return TableKind::kCsv;
    case InputFormat::kTsv:
      return TableKind::kTsv;
    default:
      return TableKind::kNone;
  }
}

}  // namespace neardup
