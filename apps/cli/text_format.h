// Numbers, times and strings as people and JSON want them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::cli {

/// "1,234,567"
std::string grouped(uint64_t number);
/// "256.0 MiB", in powers of 1024, as options take sizes.
std::string data_size(uint64_t bytes);
/// "0:07", "1:02:03"
std::string clock_time(double seconds);
/// "0.18 %", "2.1e-06 %": two significant digits where it matters.
std::string percent(double fraction);
/// "1 thread", "2 threads"
std::string counted(uint64_t number, std::string_view noun);
/// "1 entry", "2 entries"
std::string counted(uint64_t number, std::string_view one, std::string_view many);
/// A JSON string with its quotes.
std::string json_quote(std::string_view text);
/// At most `most` bytes: the beginning and the end of a longer text, never cutting a character.
std::string shortened(std::string_view text, size_t most);
/// Breaks lines at blanks so that none is longer than `width`; every line but the first is indented.
std::string wrapped(std::string_view text, size_t indent, size_t width);
/// The option table writes max_record_bytes, the command line max-record-bytes.
std::string dashed(std::string_view name);

}  // namespace neardup::cli
