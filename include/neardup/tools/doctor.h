// Properties of this build and this machine: for bug reports, and for the checks at the start of a program.
#pragma once

#include <cstdint>
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

uint32_t machine_cores() noexcept;
uint64_t machine_memory_bytes() noexcept;
/// Peak resident memory of this process so far.
uint64_t peak_memory_bytes() noexcept;

/// Empty, or why no temporary file can be made there. An empty `directory` means TMPDIR, else /tmp.
std::string temp_dir_problem(const std::string& directory);

}  // namespace neardup
