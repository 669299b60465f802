#include <utility>

#include "io/source_sequence.h"
#include "neardup/io.h"

namespace neardup {
namespace {

std::unique_ptr<DocumentSource> join(std::unique_ptr<DocumentSource> first, std::unique_ptr<DocumentSource> second, size_t reference) {
  std::vector<std::unique_ptr<DocumentSource>> parts;
  parts.push_back(std::move(first));
  parts.push_back(std::move(second));
  return make_source_sequence(std::move(parts), reference);
}

}  // namespace

std::unique_ptr<DocumentSource> concatenate(std::unique_ptr<DocumentSource> first, std::unique_ptr<DocumentSource> second) {
  return join(std::move(first), std::move(second), 1);
}

std::unique_ptr<DocumentSource> append_source(std::unique_ptr<DocumentSource> first, std::unique_ptr<DocumentSource> more) {
  return join(std::move(first), std::move(more), 0);
}

}  // namespace neardup
