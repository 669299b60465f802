#include "io/uri.h"

#include <algorithm>
#include <cctype>

#include "neardup/io.h"

namespace neardup {
namespace {

constexpr std::string_view kSeparator = "://";

bool is_secret(std::string_view parameter) {
  std::string name(parameter);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::string_view kParts[] = {"password", "passwd", "pwd", "secret", "token", "authmechanismproperties"};
  return name == "user" || std::ranges::any_of(kParts, [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

// True of "user:pass", which stands where a host and its port should: a '?' in the password is not escaped.
bool breaks_off_in_password(std::string_view authority) {
  authority = authority.substr(0, authority.find('/'));
  const size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos || authority.ends_with(']')) return false;  // [::1]
  const std::string_view port = authority.substr(colon + 1);
  return !std::ranges::all_of(port, [](unsigned char c) { return std::isdigit(c) != 0; });
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

Database database_of(std::string_view text) noexcept {
  const std::string_view scheme = scheme_of(text);
  if (scheme == "mongodb" || scheme == "mongodb+srv") return Database::kMongo;
  if (scheme == "sqlite") return Database::kSqlite;
  if (scheme == "postgresql" || scheme == "postgres") return Database::kPostgres;
  if (scheme == "mysql" || scheme == "mariadb") return Database::kMysql;
  return Database::kNone;
}

bool is_uri(std::string_view name) noexcept {
  return !scheme_of(name).empty();
}

bool is_mongodb(std::string_view name) noexcept {
  return database_of(name) == Database::kMongo;
}

std::string without_secrets(std::string_view uri) {
  const std::string_view scheme = scheme_of(uri);
  if (scheme.empty()) return std::string(uri);
  std::string_view rest = uri.substr(scheme.size() + kSeparator.size());
  size_t query = std::min(rest.find('?'), rest.size());
  // A password may hold '/', '@' and '?' that somebody forgot to escape: everything before the last '@' goes.
  size_t at = rest.substr(0, query).rfind('@');
  if (at == std::string_view::npos && breaks_off_in_password(rest.substr(0, query))) {
    at = rest.rfind('@');
    if (at != std::string_view::npos) query = std::min(rest.find('?', at), rest.size());
  }
  std::string shown(uri.substr(0, scheme.size() + kSeparator.size()));
  shown += rest.substr(at == std::string_view::npos ? 0 : at + 1, query - (at == std::string_view::npos ? 0 : at + 1));
  if (query < rest.size()) shown += "?" + without_secret_values(rest.substr(query + 1));
  return shown;
}

void require_known_scheme(std::string_view text, ErrorCode code) {
  const std::string_view scheme = scheme_of(text);
  if (scheme.empty()) return;
  if (database_of(text) != Database::kNone) {
    throw Error(code, "'" + without_secrets(text) +
                          "': a file is wanted here; a database takes what dedup writes by -o, --removed, --verdicts and --annotate");
  }
  throw Error(
      code, "'" + without_secrets(text) + "': " + std::string(scheme) +
                ":// is not supported; copy the data to a file first, or mount the bucket. docs/sources.md lists what is read and written");
}

}  // namespace neardup
