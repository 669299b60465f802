#include "io/bytes/name_ending.h"

#include <algorithm>

#include "io/bytes/compression.h"
#include "neardup/io.h"

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

std::string format_ending(std::string_view output) {
  if (output == "-" || is_uri(output)) return {};
  const std::string_view name = output.substr(output.rfind('/') + 1);
  std::string_view plain = without_compression_suffix(name);
  const size_t dot = plain.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const std::string_view ending = plain.substr(dot);
  if (std::ranges::all_of(ending.substr(1), is_ascii_digit)) return {};
  return ascii_lower(has_ending(ending, ".parquet") ? name.substr(dot) : ending);  // it is compressed internally, never as a whole
}

}  // namespace neardup
