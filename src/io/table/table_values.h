// JSON forms of table values: each is exact, and reads back as the same value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

void append_integer(int64_t value, std::string& out);
/// 128 bits in two's complement, or without sign.
void append_huge(uint64_t upper, uint64_t lower, bool is_signed, std::string& out);
/// The integer divided by 10^scale: all digits after the point are written.
void append_decimal(int64_t upper, uint64_t lower, uint32_t scale, std::string& out);
/// The fewest digits that read back to the same number, with a point or an exponent; "NaN", "Infinity", "-Infinity" as strings, because
/// JSON has no such numbers.
void append_double(double value, std::string& out);
void append_float(float value, std::string& out);

/// "2024-02-29". Days from 1970-01-01, proleptic Gregorian calendar; year 0 is 0000, those before it have a sign.
void append_date(int64_t days, std::string& out);
/// "23:59:59.999", without a fraction when it is zero, else in groups of three digits. `units_per_second` is a power of 1000.
void append_time(int64_t units, int64_t units_per_second, std::string& out);
/// "2024-02-29T23:59:59"; units from 1970-01-01.
void append_timestamp(int64_t units, int64_t units_per_second, std::string& out);

/// RFC 4648, section 4, with padding.
void append_base64(std::string_view bytes, std::string& out);
/// RFC 9562: 8-4-4-4-12 digits.
void append_uuid(uint64_t upper, uint64_t lower, std::string& out);

}  // namespace neardup
