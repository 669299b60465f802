// Limits of this version, in one place. Exceeding one is an error that names it.
#pragma once

#include <cstdint>

namespace neardup::limits {

inline constexpr uint64_t kMaxDocuments = 0xFFFF'FFFEu;  ///< per run: document ordinals are 32 bits, the last value is "none"
inline constexpr uint64_t kMaxTextBytes =
    256u << 20;  ///< per text: offsets are 32 bits; NFKC makes at most 11 bytes of one, joining a third more
inline constexpr uint32_t kMaxLanes = 4096;
inline constexpr uint32_t kMaxShingle = 64;
inline constexpr uint32_t kMaxThreads = 1024;
inline constexpr uint64_t kMinMemory = 64'000'000;

}  // namespace neardup::limits
