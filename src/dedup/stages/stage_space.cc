#include "dedup/stages/stage_space.h"

#include <fmt/format.h>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint32_t kMaxParts = 1'000'000;

}  // namespace

void check_parts(uint32_t parts) {
  if (parts == 0 || parts > kMaxParts) throw Error(ErrorCode::kUsage, fmt::format("parts: {} is not in 1 to {}", parts, kMaxParts));
}

uint64_t checked_memory(uint64_t memory) {
  if (memory < kMinStageMemory)
    throw Error(ErrorCode::kUsage, fmt::format("task_memory: {} bytes is below the minimum of {}", memory, kMinStageMemory));
  return memory;
}

const StageSpace& checked_space(const StageSpace& space) {
  checked_memory(space.memory);
  return space;
}

}  // namespace neardup
