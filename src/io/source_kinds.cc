#include "io/port/source_kinds.h"

#include <algorithm>
#include <span>

#include "io/bytes/uri.h"
#include "io/mongo/mongo_source.h"
#include "io/sql/sql_source.h"
#include "io/table/table_source.h"

namespace neardup {
namespace {

// One line a kind; the first that takes an input opens it.
std::span<const SourceKind* const> source_kinds() {
  static const SourceKind* const kinds[] = {&mongo_source_kind(), &kSqlSource, &table_source_kind()};
  return kinds;
}

}  // namespace

const SourceKind* source_kind_of(const std::string& input, InputFormat format) {
  const auto kinds = source_kinds();
  const auto found = std::ranges::find_if(kinds, [&](const SourceKind* kind) { return kind->takes(input, format); });
  if (found != kinds.end()) return *found;
  require_known_scheme(input, ErrorCode::kInput);
  return nullptr;
}

}  // namespace neardup
