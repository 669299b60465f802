#include "server/http/response_head.h"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <iterator>

#include "server/http/status_reason.h"

namespace neardup::server {
namespace {

/// Of this second, in the form of RFC 9110, whatever the locale.
std::string_view date_now() {
  static constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  thread_local std::time_t second = -1;
  thread_local std::string date;
  const std::time_t now = std::time(nullptr);
  if (now != second) {
    std::tm utc = {};
    ::gmtime_r(&now, &utc);
    date = fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT", kDays[static_cast<size_t>(utc.tm_wday)], utc.tm_mday,
                       kMonths[static_cast<size_t>(utc.tm_mon)], utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
    second = now;
  }
  return date;
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  const size_t begin = out.size();
  out += value;
  // A value with a line end would begin another header, or the body.
  for (size_t i = begin; i < out.size(); ++i) {
    const auto c = static_cast<unsigned char>(out[i]);
    if (c < 0x20 || c == 0x7f) out[i] = ' ';
  }
  out += "\r\n";
}

}  // namespace

void append_response_head(std::string& out, const HttpResponse& response, const ResponseFraming& framing) {
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", response.status, status_reason(response.status));
  out += "Server: neardup\r\nX-Content-Type-Options: nosniff\r\n";
  append_header(out, "Date", date_now());
  if (!response.content_type.empty()) append_header(out, "Content-Type", response.content_type);
  if (framing.content_length) fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", *framing.content_length);
  if (framing.chunked) out += "Transfer-Encoding: chunked\r\n";
  if (framing.close) {
    out += "Connection: close\r\n";
  } else if (framing.keep_alive) {
    out += "Connection: keep-alive\r\n";
  }
  for (const auto& [name, value] : response.headers) append_header(out, name, value);
  out += "\r\n";
}

bool never_has_body(uint16_t status) noexcept {
  return status < 200 || status == 204 || status == 304;
}

}  // namespace neardup::server
