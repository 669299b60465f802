#include "neardup/tools/input_kinds.h"

#include "io/port/source_traits.h"
#include "neardup/io.h"

namespace neardup {

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

}  // namespace neardup
