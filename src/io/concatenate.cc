#include <utility>

#include "io/source_sequence.h"
#include "neardup/io.h"

namespace neardup {

std::unique_ptr<DocumentSource> concatenate(std::unique_ptr<DocumentSource> first, std::unique_ptr<DocumentSource> second) {
  std::vector<std::unique_ptr<DocumentSource>> parts;
  parts.push_back(std::move(first));
  parts.push_back(std::move(second));
  return make_source_sequence(std::move(parts), 1);
}

}  // namespace neardup
