// Lanes: a vector register full of the 32-bit lanes of a signature, compiled once per instruction set. The unit that includes this defines
// NEARDUP_VECTOR_BYTES, the width of its registers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace {

using Lanes = uint32_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));
constexpr size_t kLanesPerVector = NEARDUP_VECTOR_BYTES / sizeof(uint32_t);

}  // namespace
