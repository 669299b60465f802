#include "io/table/table_values.h"

#include <cmath>

#include "base/format.h"

namespace neardup {
namespace {

__extension__ using Wide = unsigned __int128;

std::string digits_of(Wide value) {
  char digits[40];
  char* at = std::end(digits);
  do {
    *--at = static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  return {at, std::end(digits)};
}

Wide magnitude(uint64_t upper, uint64_t lower, bool negative) {
  const Wide value = Wide{upper} << 64 | lower;
  return negative ? Wide{0} - value : value;
}

int64_t floor_divide(int64_t value, int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

template <class Number>
void append_shortest(Number value, std::string& out) {
  if (std::isnan(value)) {
    out += "\"NaN\"";
  } else if (std::isinf(value)) {
    out += value < 0 ? "\"-Infinity\"" : "\"Infinity\"";
  } else {
    const size_t before = out.size();
    append_format(out, "{}", value);
    if (out.find_first_of(".e", before) == std::string::npos) out += ".0";
  }
}

}  // namespace

void append_integer(int64_t value, std::string& out) {
  append_format(out, "{}", value);
}

void append_huge(uint64_t upper, uint64_t lower, bool is_signed, std::string& out) {
  const bool negative = is_signed && upper >> 63 != 0;
  if (negative) out.push_back('-');
  out += digits_of(magnitude(upper, lower, negative));
}

void append_decimal(int64_t upper, uint64_t lower, uint32_t scale, std::string& out) {
  if (upper < 0) out.push_back('-');
  std::string digits = digits_of(magnitude(static_cast<uint64_t>(upper), lower, upper < 0));
  if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
  if (scale > 0) digits.insert(digits.size() - scale, ".");
  out += digits;
}

void append_double(double value, std::string& out) {
  append_shortest(value, out);
}

void append_float(float value, std::string& out) {
  append_shortest(value, out);
}

// Days to years, months and days in eras of 400 years that begin on the first of March.
void append_date(int64_t days, std::string& out) {
  constexpr int64_t kEraDays = 146'097;
  const int64_t shifted = days + 719'468;
  const int64_t era = floor_divide(shifted, kEraDays);
  const int64_t day_of_era = shifted - era * kEraDays;
  const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t march_month = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * march_month + 2) / 5 + 1;
  const int64_t month = march_month < 10 ? march_month + 3 : march_month - 9;
  const int64_t year = era * 400 + year_of_era + (month <= 2 ? 1 : 0);
  if (year < 0) out.push_back('-');
  append_format(out, "{:04}-{:02}-{:02}", year < 0 ? -year : year, month, day);
}

void append_time(int64_t units, int64_t units_per_second, std::string& out) {
  const int64_t seconds = units / units_per_second;
  int64_t fraction = units % units_per_second;
  append_format(out, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (fraction == 0) return;
  out.push_back('.');
  for (int64_t unit = units_per_second / 1000; fraction > 0; unit /= 1000) {
    append_format(out, "{:03}", fraction / unit);
    fraction %= unit;
  }
}

void append_timestamp(int64_t units, int64_t units_per_second, std::string& out) {
  constexpr int64_t kDaySeconds = 86'400;
  const int64_t day_units = kDaySeconds * units_per_second;
  const int64_t days = floor_divide(units, day_units);
  append_date(days, out);
  out.push_back('T');
  append_time(units - days * day_units, units_per_second, out);
}

void append_base64(std::string_view bytes, std::string& out) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) out.push_back(k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=');
  }
}

void append_uuid(uint64_t upper, uint64_t lower, std::string& out) {
  append_format(out, "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", upper >> 32, upper >> 16 & 0xFFFF, upper & 0xFFFF, lower >> 48,
                lower & 0xFFFF'FFFF'FFFFu);
}

}  // namespace neardup
