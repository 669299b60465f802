#include "io/uri.h"

#include <algorithm>
#include <cctype>

namespace neardup {
namespace {

constexpr std::string_view kSeparator = "://";

bool is_secret(std::string_view parameter) {
  std::string name(parameter);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::string_view kParts[] = {"password", "passwd", "pwd", "secret", "token", "authmechanismproperties"};
  return std::ranges::any_of(kParts, [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

// "a=1&password=x" -> "a=1&password=***"
std::string without_secret_values(std::string_view query) {
  std::string shown;
  while (true) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    const size_t equals = pair.find('=');
    const bool secret = equals != std::string_view::npos && is_secret(pair.substr(0, equals));
    shown += secret ? std::string(pair.substr(0, equals + 1)) + "***" : std::string(pair);
    if (end == query.size()) return shown;
    shown += '&';
    query.remove_prefix(end + 1);
  }
}

}  // namespace

std::string_view scheme_of(std::string_view text) noexcept {
  const size_t end = text.find(kSeparator);
  if (end == std::string_view::npos || end == 0 || std::isalpha(static_cast<unsigned char>(text[0])) == 0) return {};
  const std::string_view scheme = text.substr(0, end);
  const bool valid = std::ranges::all_of(scheme, [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.'; });
  return valid ? scheme : std::string_view();
}

std::string without_secrets(std::string_view uri) {
  const std::string_view scheme = scheme_of(uri);
  if (scheme.empty()) return std::string(uri);
  std::string_view rest = uri.substr(scheme.size() + kSeparator.size());
  const size_t query = std::min(rest.find('?'), rest.size());
  // A password may hold '/' and '@' that somebody forgot to escape: everything before the last '@' goes.
  const size_t at = rest.substr(0, query).rfind('@');
  std::string shown(uri.substr(0, scheme.size() + kSeparator.size()));
  shown += rest.substr(at == std::string_view::npos ? 0 : at + 1, query - (at == std::string_view::npos ? 0 : at + 1));
  if (query < rest.size()) shown += "?" + without_secret_values(rest.substr(query + 1));
  return shown;
}

void require_known_scheme(std::string_view text, ErrorCode code) {
  const std::string_view scheme = scheme_of(text);
  if (scheme.empty()) return;
  throw Error(code, "'" + without_secrets(text) + "': nothing here reads or writes '" + std::string(scheme) + "://'; see docs/sources.md");
}

}  // namespace neardup
