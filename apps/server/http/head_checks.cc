#include "server/http/head_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace neardup::server {
namespace {

bool same_word(std::string_view a, std::string_view b) {  // b is in lower case
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return lower(x) == y; });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// Of RFC 3986: a name or an address, and a port.
bool is_host(std::string_view host) {
  size_t end = 0;
  if (host.starts_with('[')) {
    end = host.find(']');
    if (end == std::string_view::npos || end < 3) return false;
    const auto fits = [](char c) { return is_alphanumeric(c) || c == ':' || c == '.'; };
    if (!std::all_of(host.begin() + 1, host.begin() + static_cast<ptrdiff_t>(end), fits)) return false;
    ++end;
  } else {
    const auto fits = [](char c) { return is_alphanumeric(c) || std::string_view("-._~%!$&'()*+,;=").find(c) != std::string_view::npos; };
    end = static_cast<size_t>(std::find_if_not(host.begin(), host.end(), fits) - host.begin());
    if (end == 0) return false;
  }
  std::string_view port = host.substr(end);
  if (port.empty()) return true;
  if (port.front() != ':') return false;
  port.remove_prefix(1);
  if (port.empty()) return true;
  uint16_t number = 0;
  const auto [rest, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  return error == std::errc() && rest == port.data() + port.size();
}

/// Whether a value of Accept-Encoding takes gzip: by its name, else by '*'; a weight of 0 refuses it.
bool takes_gzip(std::string_view value) {
  std::optional<bool> named;
  bool any = false;
  while (!value.empty()) {
    const size_t comma = std::min(value.find(','), value.size());
    const std::string_view item = value.substr(0, comma);
    value.remove_prefix(std::min(comma + 1, value.size()));
    const size_t semicolon = std::min(item.find(';'), item.size());
    const std::string_view name = trimmed(item.substr(0, semicolon));
    const std::string_view weight = trimmed(item.substr(std::min(semicolon + 1, item.size())));
    const bool refused =
        (weight.starts_with("q=0") || weight.starts_with("Q=0")) && weight.find_first_not_of("0.", 2) == std::string_view::npos;
    if (same_word(name, "gzip") || same_word(name, "x-gzip")) named = !refused;
    if (name == "*") any = !refused;
  }
  return named.value_or(any);
}

std::optional<BodyEncoding> body_encoding(std::string_view value) {
  if (value.empty() || same_word(value, "identity")) return BodyEncoding::kIdentity;
  if (same_word(value, "gzip") || same_word(value, "x-gzip")) return BodyEncoding::kGzip;
  if (same_word(value, "zstd")) return BodyEncoding::kZstd;
  return std::nullopt;
}

// Headers that are read, each at most once but for the last two.
enum Known : uint8_t {
  kHost,
  kOrigin,
  kFetchSite,
  kAuthorization,
  kContentType,
  kContentLength,
  kContentEncoding,
  kTransferEncoding,
  kExpect,
  kIfNoneMatch,
  kAcceptEncoding,
  kKnownHeaders
};
constexpr std::array<std::string_view, kKnownHeaders> kKnownNames = {
    "host",   "origin",        "sec-fetch-site", "authorization", "content-type", "content-length", "content-encoding", "transfer-encoding",
    "expect", "if-none-match", "accept-encoding"};

std::optional<HttpFault> check_target(std::string_view target) {
  if (!target.starts_with('/')) return HttpFault{400, "The target of a request must be a path that begins with '/'."};
  const auto fits = [](char c) { return c > 0x20 && c < 0x7f && c != '#'; };
  if (!std::all_of(target.begin(), target.end(), fits)) {
    return HttpFault{400, "The target of the request has a character that must be percent-encoded."};
  }
  return std::nullopt;
}

}  // namespace

std::optional<HttpFault> check_head(HttpMethod method, std::string_view target, bool http_1_1, std::span<const HeaderField> fields,
                                    HttpHead& head, BodyHead& body) {
  std::string peer = std::move(head.peer);
  head = {};
  head.method = method;
  head.target = target;
  head.peer = std::move(peer);
  body = {};
  if (fields.size() > kMaxHeaderFields) {
    return HttpFault{431, fmt::format("The request has {} header fields; the limit is {}.", fields.size(), kMaxHeaderFields)};
  }
  std::array<std::optional<std::string_view>, kKnownHeaders> known;
  for (const HeaderField& field : fields) {
    const auto name = std::find_if(kKnownNames.begin(), kKnownNames.end(), [&](std::string_view n) { return same_word(field.name, n); });
    if (name == kKnownNames.end()) continue;
    const auto which = static_cast<size_t>(name - kKnownNames.begin());
    if (which == kAcceptEncoding) head.accepts_gzip |= takes_gzip(field.value);
    if (!known[which]) {
      known[which] = field.value;
    } else if (which < kIfNoneMatch) {
      return HttpFault{400, fmt::format("The request has several headers of the name {}.", *name)};
    }
  }
  const auto text_of = [&](Known which) { return std::string(known[which].value_or("")); };
  head.host = text_of(kHost);
  head.origin = text_of(kOrigin);
  head.fetch_site = text_of(kFetchSite);
  head.authorization = text_of(kAuthorization);
  head.content_type = text_of(kContentType);
  head.if_none_match = text_of(kIfNoneMatch);

  if (std::optional<HttpFault> fault = check_target(target)) return fault;
  if (http_1_1 && !known[kHost]) return HttpFault{400, "A request of HTTP/1.1 must have a Host header."};
  if (known[kHost] && !is_host(head.host)) return HttpFault{400, "The Host header is not a host with an optional port."};

  if (const auto& coding = known[kTransferEncoding]) {
    if (known[kContentLength]) return HttpFault{400, "The request has both Content-Length and Transfer-Encoding."};
    if (!http_1_1) return HttpFault{400, "A request of HTTP/1.0 must not have Transfer-Encoding."};
    if (!same_word(*coding, "chunked")) return HttpFault{501, "The only transfer coding that this server knows is chunked."};
    body.chunked = head.has_body = true;
  } else if (const auto& length = known[kContentLength]) {
    uint64_t bytes = 0;
    const char* const end = length->data() + length->size();
    const auto [rest, error] = std::from_chars(length->data(), end, bytes);
    if (error != std::errc() || rest != end) return HttpFault{400, "Content-Length is not a number of bytes."};
    head.content_length = bytes;
    head.has_body = bytes != 0;
  }
  if (const auto& expectation = known[kExpect]; expectation && http_1_1) {
    if (!same_word(*expectation, "100-continue")) return HttpFault{417, "The only expectation that this server meets is 100-continue."};
    body.expects_continue = head.has_body;
  }
  body.encoding = body_encoding(known[kContentEncoding].value_or(""));
  return std::nullopt;
}

}  // namespace neardup::server
