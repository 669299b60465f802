#include "io/json/json_mend.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "base/format.h"
#include "io/json/json_detail.h"

namespace neardup {
namespace {

using json_detail::hex4;

constexpr size_t kEscapeBytes = 6;  // \u1234

// Appends the escape that begins at `at`; returns where the string goes on.
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

std::string mended_json(std::string_view line) {
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
