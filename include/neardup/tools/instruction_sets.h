// The instruction sets that the hot loops are compiled for, by the names of their kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neardup {

/// The name of the instruction-set kernels in use, such as "avx2". All give the same results.
const char* kernels_in_use() noexcept;
/// The kernels that this processor can run, best last.
std::vector<std::string_view> kernels_available();
/// Empty, or one line saying why the environment variable NEARDUP_KERNELS cannot be obeyed. A program should end with a usage error.
std::string kernels_problem();

}  // namespace neardup
