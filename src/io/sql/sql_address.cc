#include "io/sql/sql_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/hex.h"
#include "io/bytes/uri.h"

namespace neardup {
namespace {

std::optional<SqlServer> server_of(std::string_view uri) {
  switch (database_of(uri)) {
    case Database::kSqlite:
      return SqlServer::kSqlite;
    case Database::kPostgres:
      return SqlServer::kPostgres;
    case Database::kMysql:
      return SqlServer::kMysql;
    case Database::kMongo:
    case Database::kNone:
      break;
  }
  return std::nullopt;
}

// Parses one URI; errors name its shown form and the part, never a value.
class Parser {
 public:
  explicit Parser(std::string_view uri) : uri_(uri) {}

  SqlAddress run() {
    address_.shown = without_secrets(uri_);
    address_.secrets.add(uri_);
    const std::string_view scheme = scheme_of(uri_);
    address_.server = server_of(uri_).value();
    std::string_view rest = uri_.substr(scheme.size() + 3);
    const size_t mark = std::min(rest.find('?'), rest.size());
    if (mark < rest.size()) parameters(rest.substr(mark + 1));
    rest = rest.substr(0, mark);
    if (address_.server == SqlServer::kSqlite) {
      address_.database = decode(rest, "path");
      if (address_.database.empty()) fail("it names no file: sqlite:///path/to/file.db?table=NAME");
    } else {
      if (!has_safe_form(uri_)) {
        fail(
            "it cannot be read; in a user name or password, write '@' as %40, '/' as %2F, '?' as %3F, ':' as %3A and '%' as %25; "
            "the port is a number from 0 to 65535");
      }
      server(rest);
    }
    if (address_.table.name.empty() == address_.query.empty()) fail("it needs ?table=NAME, or ?query=SELECT...");
    return std::move(address_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw Error(ErrorCode::kUsage, fmt::format("'{}': {}", address_.shown, what)); }

  [[nodiscard]] std::string decode(std::string_view text, std::string_view part) const {
    std::string decoded;
    for (size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '%') {
        decoded.push_back(text[at]);
        continue;
      }
      const int high = at + 2 < text.size() ? hex_value(text[at + 1]) : -1;
      const int low = at + 2 < text.size() ? hex_value(text[at + 2]) : -1;
      if (high < 0 || low < 0)
        fail(fmt::format("a '%' in the {} is not followed by two hexadecimal digits; the character itself is %25", part));
      decoded.push_back(static_cast<char>(high * 16 + low));
      at += 2;
    }
    if (decoded.find('\0') != std::string::npos) fail(fmt::format("there is a zero byte in the {}", part));
    return decoded;
  }

  void parameters(std::string_view text) {
    while (!text.empty()) {
      const size_t end = std::min(text.find('&'), text.size());
      const std::string_view pair = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (pair.empty()) continue;
      const size_t equals = std::min(pair.find('='), pair.size());
      const std::string name = decode(pair.substr(0, equals), "name of a parameter");
      const std::string value = decode(pair.substr(std::min(equals + 1, pair.size())), "value of a parameter");
      if (name == "table") {
        address_.table = parse_sql_table(value);
        if (address_.table.name.empty()) fail("table= is not a name of a table: NAME, SCHEMA.NAME or \"NA.ME\"");
      } else if (name == "query") {
        address_.query = value.substr(0, value.find_last_not_of("; \t\r\n") + 1);
        if (address_.query.empty()) fail("query= is empty");
      } else if (name == "user" || name == "password") {
        (name == "user" ? address_.user : address_.password) = value;
      } else if (address_.server == SqlServer::kSqlite) {
        fail("SQLite has no parameters but table and query");
      } else {
        address_.settings[name] = value;
      }
    }
  }

  void server(std::string_view rest) {
    if (const size_t at = rest.rfind('@'); at != std::string_view::npos) {
      const std::string_view who = rest.substr(0, at);
      const size_t colon = std::min(who.find(':'), who.size());
      address_.user = decode(who.substr(0, colon), "user");
      if (colon < who.size()) address_.password = decode(who.substr(colon + 1), "password");
      rest.remove_prefix(at + 1);
    }
    const size_t slash = std::min(rest.find('/'), rest.size());
    std::string_view host = rest.substr(0, slash);
    if (slash < rest.size()) address_.database = decode(rest.substr(slash + 1), "name of the database");
    size_t colon = host.rfind(':');
    if (host.starts_with('[')) {  // [::1]:5432
      const size_t close = host.find(']');
      if (close == std::string_view::npos) fail("'[' without ']' in the host");
      colon = host.find(':', close);
      address_.host = host.substr(1, close - 1);
    } else {
      address_.host = decode(host.substr(0, colon), "host");
    }
    if (colon != std::string_view::npos) address_.port = host.substr(colon + 1);
    const bool digits = std::ranges::all_of(address_.port, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!digits || address_.port.size() > 5 || (!address_.port.empty() && std::stoul(address_.port) > 65535)) {
      fail("the port is not a number from 0 to 65535");
    }
    if (const auto found = address_.settings.find("host"); found != address_.settings.end()) {
      address_.host = found->second;
      address_.settings.erase(found);
    }
    if (address_.database.empty()) fail("it names no database: SCHEME://HOST/DATABASE?table=NAME");
  }

  const std::string_view uri_;
  SqlAddress address_;
};

}  // namespace

bool is_sql_uri(std::string_view uri) noexcept {
  return server_of(uri).has_value();
}

SqlAddress parse_sql_address(std::string_view uri) {
  return Parser(uri).run();
}

SqlTable parse_sql_table(std::string_view text) {
  std::vector<std::string> parts(1);
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '.') {
      parts.emplace_back();
      ++at;
    } else if (text[at] == '"' && parts.back().empty()) {
      for (++at;; ++at) {
        if (at >= text.size()) return {};
        if (text[at] == '"' && text.substr(at + 1, 1) != "\"") break;
        if (text[at] == '"') ++at;
        parts.back().push_back(text[at]);
      }
      ++at;
      if (at < text.size() && text[at] != '.') return {};
    } else {
      parts.back().push_back(text[at++]);
    }
  }
  if (parts.size() > 2 || std::ranges::any_of(parts, &std::string::empty)) return {};
  return parts.size() == 1 ? SqlTable{.schema = {}, .name = parts[0]} : SqlTable{.schema = parts[0], .name = parts[1]};
}

std::string scrub(const SqlAddress& address, std::string message) {
  while (!message.empty() && std::isspace(static_cast<unsigned char>(message.back())) != 0) message.pop_back();
  message = address.secrets.hide(std::move(message));
  std::string line;
  for (const char c : message) {
    if (c == '\n') {
      line += "; ";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      line.push_back(' ');
    } else {
      line.push_back(c);
    }
  }
  return line;
}

}  // namespace neardup
