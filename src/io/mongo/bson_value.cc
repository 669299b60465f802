#include "io/mongo/bson_value.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "base/format.h"
#include "io/json/json_scan.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using json_detail::hex4;

constexpr size_t kEscapeBytes = 6;  // \u1234

void append_double(double value, std::string& out) {
  if (std::isnan(value)) {
    out += "NaN";
  } else if (std::isinf(value)) {
    out += value < 0 ? "-Infinity" : "Infinity";
  } else {
    char digits[40];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    static_cast<void>(error);  // the shortest form has at most 24 characters
    out.append(digits, end);
  }
}

// False for years without exactly four digits.
bool append_date(int64_t milliseconds, std::string& out) {
  constexpr int64_t kFirst = -62'135'596'800'000;  // 0001-01-01
  constexpr int64_t kEnd = 253'402'300'800'000;    // 10000-01-01
  if (milliseconds < kFirst || milliseconds >= kEnd) return false;
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds{milliseconds}};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  append_format(out, "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  if (clock.subseconds().count() != 0) append_format(out, ".{:03}", clock.subseconds().count());
  out += 'Z';
  return true;
}

bool append_uuid(const bson_iter_t& value, std::string& out) {
  constexpr uint32_t kBytes = 16;
  bson_subtype_t subtype{};
  uint32_t size = 0;
  const uint8_t* bytes = nullptr;
  bson_iter_binary(&value, &subtype, &size, &bytes);
  if (subtype != BSON_SUBTYPE_UUID || size != kBytes) return false;
  for (uint32_t i = 0; i < kBytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    append_format(out, "{:02x}", bytes[i]);
  }
  return true;
}

// Appends the escape that begins at `at`; returns the position after it.
size_t copy_escape(std::string_view line, size_t at, std::string& out) {
  if (at + 1 >= line.size() || line[at + 1] != 'u') {
    out += line.substr(at, 2);
    return at + 2;
  }
  const int32_t unit = hex4(line, at + 2);
  if (unit < 0xD800 || unit > 0xDFFF) {
    out += line.substr(at, kEscapeBytes);
    return at + kEscapeBytes;
  }
  const int32_t low = unit < 0xDC00 && line.substr(at + kEscapeBytes, 2) == "\\u" ? hex4(line, at + kEscapeBytes + 2) : -1;
  if (low >= 0xDC00 && low <= 0xDFFF) {
    out += line.substr(at, kEscapeBytes * 2);
    return at + kEscapeBytes * 2;
  }
  out += "\\ufffd";
  return at + kEscapeBytes;
}

size_t copy_string(std::string_view line, size_t at, std::string& out) {
  out += line[at++];
  while (at < line.size() && line[at] != '"') {
    if (line[at] == '\\') {
      at = copy_escape(line, at, out);
    } else {
      out += line[at++];
    }
  }
  if (at < line.size()) out += line[at++];
  return at;
}

size_t copy_number(std::string_view line, size_t at, std::string& out) {
  constexpr size_t kSafeDigits = 18;
  const size_t end = std::min(line.find_first_not_of("+-.0123456789eE", at), line.size());
  const std::string digits(line.substr(at, end - at));
  const bool whole = digits.find_first_of(".eE") == std::string::npos;
  if (whole && digits.size() <= kSafeDigits) {
    out += digits;
    return end;
  }
  if (whole) {
    char* stop = nullptr;
    errno = 0;
    static_cast<void>(std::strtoll(digits.c_str(), &stop, 10));
    if (errno == 0) {
      out += digits;
      return end;
    }
  }
  errno = 0;
  const double value = std::strtod(digits.c_str(), nullptr);
  if (std::isinf(value)) {
    out += value < 0 ? R"({"$numberDouble":"-Infinity"})" : R"({"$numberDouble":"Infinity"})";
  } else if (whole) {
    append_format(out, R"({{"$numberDouble":"{}"}})", value);
  } else {
    out += errno == 0 ? digits : "0.0";
  }
  return end;
}

}  // namespace

std::string_view name_of(bson_type_t type) noexcept {
  switch (type) {
    case BSON_TYPE_DOUBLE:
      return "a double";
    case BSON_TYPE_UTF8:
      return "a string";
    case BSON_TYPE_DOCUMENT:
      return "an object";
    case BSON_TYPE_ARRAY:
      return "an array";
    case BSON_TYPE_BINARY:
      return "binary data";
    case BSON_TYPE_UNDEFINED:
      return "undefined";
    case BSON_TYPE_OID:
      return "an ObjectId";
    case BSON_TYPE_BOOL:
      return "a boolean";
    case BSON_TYPE_DATE_TIME:
      return "a date";
    case BSON_TYPE_NULL:
      return "null";
    case BSON_TYPE_REGEX:
      return "a regular expression";
    case BSON_TYPE_DBPOINTER:
      return "a DBPointer";
    case BSON_TYPE_CODE:
    case BSON_TYPE_CODEWSCOPE:
      return "JavaScript code";
    case BSON_TYPE_SYMBOL:
      return "a symbol";
    case BSON_TYPE_INT32:
      return "an int";
    case BSON_TYPE_TIMESTAMP:
      return "a timestamp";
    case BSON_TYPE_INT64:
      return "a long";
    case BSON_TYPE_DECIMAL128:
      return "a decimal";
    case BSON_TYPE_MAXKEY:
      return "MaxKey";
    case BSON_TYPE_MINKEY:
      return "MinKey";
    default:
      return "a value of an unknown type";
  }
}

std::string canonical_json(const bson_iter_t& value) {
  constexpr std::string_view kBefore = "{ \"v\" : ";
  constexpr std::string_view kAfter = " }";
  bson_t document = BSON_INITIALIZER;
  std::string text;
  if (bson_append_iter(&document, "v", 1, &value)) {
    size_t bytes = 0;
    char* const json = bson_as_canonical_extended_json(&document, &bytes);
    if (json != nullptr) text.assign(json + kBefore.size(), bytes - kBefore.size() - kAfter.size());
    bson_free(json);
  }
  bson_destroy(&document);
  return text;
}

void append_id_text(const bson_iter_t& value, std::string& out) {
  switch (bson_iter_type(&value)) {
    case BSON_TYPE_UTF8: {
      uint32_t size = 0;
      const char* const bytes = bson_iter_utf8(&value, &size);
      std::string repaired;
      if (is_valid_utf8({bytes, size})) {
        out.append(bytes, size);
      } else {
        repair_utf8({bytes, size}, repaired);
        out += repaired;
      }
      return;
    }
    case BSON_TYPE_OID: {
      char digits[25];
      bson_oid_to_string(bson_iter_oid(&value), digits);
      out += digits;
      return;
    }
    case BSON_TYPE_INT32:
    case BSON_TYPE_INT64:
      append_format(out, "{}", bson_iter_as_int64(&value));
      return;
    case BSON_TYPE_DOUBLE:
      append_double(bson_iter_double(&value), out);
      return;
    case BSON_TYPE_DECIMAL128: {
      bson_decimal128_t decimal;
      char digits[BSON_DECIMAL128_STRING];
      bson_iter_decimal128(&value, &decimal);
      bson_decimal128_to_string(&decimal, digits);
      out += digits;
      return;
    }
    case BSON_TYPE_BOOL:
      out += bson_iter_bool(&value) ? "true" : "false";
      return;
    case BSON_TYPE_NULL:
      out += "null";
      return;
    case BSON_TYPE_DATE_TIME:
      if (append_date(bson_iter_date_time(&value), out)) return;
      break;
    case BSON_TYPE_BINARY:
      if (append_uuid(value, out)) return;
      break;
    default:
      break;
  }
  out += canonical_json(value);
}

bool find_value(const bson_t& document, std::string_view path, bson_iter_t& found) {
  bson_iter_t level;
  if (!bson_iter_init(&level, &document)) return false;
  while (true) {
    const size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    if (!bson_iter_find_w_len(&level, name.data(), static_cast<int>(name.size()))) return false;
    if (dot == std::string_view::npos) {
      found = level;
      return true;
    }
    bson_iter_t inner;
    if (bson_iter_type(&level) != BSON_TYPE_DOCUMENT || !bson_iter_recurse(&level, &inner)) return false;
    level = inner;
    path.remove_prefix(dot + 1);
  }
}

std::string repair_json_for_bson(std::string_view line) {
  std::string out;
  for (size_t at = 0; at < line.size();) {
    if (line[at] == '"') {
      at = copy_string(line, at, out);
    } else if (line[at] == '-' || (line[at] >= '0' && line[at] <= '9')) {
      at = copy_number(line, at, out);
    } else {
      out += line[at++];
    }
  }
  return out;
}

}  // namespace neardup
