#include "neardup/tools/instruction_sets.h"

#include <cstddef>

#include "kernels/kernels.h"

namespace neardup {

const char* kernels_in_use() noexcept {
  return kernels::kernels().name;
}

std::vector<std::string_view> kernels_available() {
  size_t count = 0;
  const kernels::Kernels* const* rows = kernels::available(&count);
  std::vector<std::string_view> names;
  for (size_t i = 0; i < count; ++i) names.emplace_back(rows[i]->name);
  return names;
}

std::string kernels_problem() {
  const char* problem = kernels::requested_kernels_error();
  return problem != nullptr ? problem : "";
}

}  // namespace neardup
