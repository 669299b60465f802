// Numbers as people read them: the one place for messages, summaries and progress.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

/// "1,234,567"
std::string grouped(uint64_t number);
/// "1 entry", "2,000 entries"
std::string counted(uint64_t number, std::string_view one, std::string_view many);
/// "1 thread", "2 threads"
std::string counted(uint64_t number, std::string_view noun);
/// "603 bytes", "256.0 MiB", in powers of 1024.
std::string data_size(uint64_t bytes);
/// A fraction as "93 %", "0.18 %", "less than 0.0001 %", or "0 %" for exactly 0: two significant digits below ten percent.
std::string percent(double fraction);

}  // namespace neardup
