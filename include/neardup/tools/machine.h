// Properties of this machine and this process: cores, memory, the temporary folder.
#pragma once

#include <cstdint>
#include <string>

namespace neardup {

uint32_t machine_cores() noexcept;
uint64_t machine_memory_bytes() noexcept;
/// Peak resident memory of this process so far.
uint64_t peak_memory_bytes() noexcept;

/// Empty, or why no temporary file can be made there. An empty `directory` means TMPDIR, else /tmp.
std::string temp_dir_problem(const std::string& directory);

}  // namespace neardup
