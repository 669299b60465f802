#include "neardup/tools/secrets.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <span>

#include "base/ascii.h"
#include "base/hex.h"
#include "io/bytes/uri.h"

namespace neardup {
namespace {

constexpr std::string_view kAfterScheme = "://";
constexpr std::string_view kHidden = "***";
constexpr size_t kMinSecret = 4;  // shorter ones are part of many words
constexpr uint32_t kMaxPort = 65535;

// Parameters whose names and values are harmless, in lower case: those of neardup, libpq, MariaDB's client and the MongoDB driver.
constexpr std::string_view kOpenParameters[] = {
    "table", "query",
    // PostgreSQL
    "host", "hostaddr", "port", "dbname", "connect_timeout", "client_encoding", "application_name", "fallback_application_name",
    "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout", "options", "gssencmode", "sslmode",
    "requiressl", "sslcompression", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir", "sslsni", "requirepeer",
    "ssl_min_protocol_version", "ssl_max_protocol_version", "krbsrvname", "gsslib", "service", "target_session_attrs", "channel_binding",
    "passfile", "load_balance_hosts", "replication", "require_auth", "sslcertmode", "gssdelegation", "sslnegotiation",
    // MySQL
    "socket", "default_file", "default_group", "ssl_ca", "ssl_cert", "ssl_key", "ssl_verify",
    // MongoDB
    "appname", "authmechanism", "authsource", "compressors", "connecttimeoutms", "directconnection", "heartbeatfrequencyms", "journal",
    "loadbalanced", "localthresholdms", "maxpoolsize", "maxstalenessseconds", "minpoolsize", "readconcernlevel", "readpreference",
    "readpreferencetags", "replicaset", "retryreads", "retrywrites", "serverselectiontimeoutms", "serverselectiontryonce",
    "sockettimeoutms", "srvmaxhosts", "srvservicename", "ssl", "tls", "tlsallowinvalidcertificates", "tlsallowinvalidhostnames",
    "tlscafile", "tlscertificatekeyfile", "tlsinsecure", "w", "waitqueuetimeoutms", "wtimeoutms", "zlibcompressionlevel"};

// Parameters whose names are shown, and whose values are not.
constexpr std::string_view kSecretParameters[] = {"user",
                                                  "username",
                                                  "password",
                                                  "passwd",
                                                  "pass",
                                                  "pwd",
                                                  "sslpassword",
                                                  "secret",
                                                  "token",
                                                  "authmechanismproperties",
                                                  "tlscertificatekeyfilepassword",
                                                  "sslclientcertificatekeypassword"};

bool listed(std::span<const std::string_view> list, std::string_view name) {
  return std::ranges::find(list, ascii_lower(name)) != list.end();
}

std::string decoded(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const bool escape = text[at] == '%' && at + 2 < text.size() && hex_value(text[at + 1]) >= 0 && hex_value(text[at + 2]) >= 0;
    out.push_back(escape ? static_cast<char>(hex_value(text[at + 1]) * 16 + hex_value(text[at + 2])) : text[at]);
    if (escape) at += 2;
  }
  return out;
}

// The parts of SCHEME://[USER@]HOSTS[/PATH][?PARAMETERS], as a URI parser cuts them.
struct Parts {
  std::string_view scheme;
  std::string_view user;  // and password
  std::string_view hosts;
  std::string_view path;  // with its slash
  std::vector<std::string_view> parameters;
  bool has_query = false;
};

Parts parts_of(std::string_view uri, std::string_view scheme) {
  Parts parts{.scheme = scheme, .user = {}, .hosts = {}, .path = {}, .parameters = {}};
  std::string_view rest = uri.substr(scheme.size() + kAfterScheme.size());
  const size_t mark = std::min(rest.find('?'), rest.size());
  parts.has_query = mark < rest.size();
  for (std::string_view query = parts.has_query ? rest.substr(mark + 1) : std::string_view(); !query.empty();) {
    const size_t end = std::min(query.find('&'), query.size());
    parts.parameters.push_back(query.substr(0, end));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  rest = rest.substr(0, mark);
  if (const size_t at = rest.rfind('@'); at != std::string_view::npos) {
    parts.user = rest.substr(0, at);
    rest.remove_prefix(at + 1);
  }
  const size_t slash = std::min(rest.find('/'), rest.size());
  parts.hosts = rest.substr(0, slash);
  parts.path = rest.substr(slash);
  return parts;
}

std::pair<std::string_view, std::string_view> name_and_value(std::string_view parameter) {
  const size_t equals = std::min(parameter.find('='), parameter.size());
  return {parameter.substr(0, equals), parameter.substr(std::min(equals + 1, parameter.size()))};
}

bool is_port(std::string_view text) noexcept {
  uint32_t port = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    port = port * 10 + static_cast<uint32_t>(c - '0');
    if (port > kMaxPort) return false;
  }
  return true;
}

// "host", "host:1", "[::1]:1", "%2Fsocket": a colon is followed by a port, or the text is not a host.
bool is_host(std::string_view text) noexcept {
  if (text.starts_with('[')) {
    const size_t close = text.find(']');
    if (close == std::string_view::npos) return false;
    const bool address =
        std::ranges::all_of(text.substr(1, close - 1), [](unsigned char c) { return std::isxdigit(c) != 0 || c == ':' || c == '.'; });
    const std::string_view after = text.substr(close + 1);
    return address && (after.empty() || (after[0] == ':' && is_port(after.substr(1))));
  }
  const size_t colon = std::min(text.find(':'), text.size());
  const bool plain = std::ranges::all_of(text.substr(0, colon), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == '%' || c >= 0x80;
  });
  return plain && is_port(text.substr(std::min(colon + 1, text.size())));
}

bool are_hosts(std::string_view text) noexcept {
  while (true) {
    const size_t comma = std::min(text.find(','), text.size());
    if (!is_host(text.substr(0, comma))) return false;
    if (comma == text.size()) return true;
    text.remove_prefix(comma + 1);
  }
}

// An '@' in something that is not a known parameter: a '?' in a password was not escaped, and every part before it is uncertain.
bool breaks_off_in_password(const Parts& parts) {
  return std::ranges::any_of(parts.parameters, [](std::string_view parameter) {
    const std::string_view name = name_and_value(parameter).first;
    return parameter.find('@') != std::string_view::npos && !listed(kOpenParameters, name) && !listed(kSecretParameters, name);
  });
}

// "/db&password=x": the first '&' was meant as the '?'.
bool has_parameters(std::string_view path) noexcept {
  const size_t mark = path.find('&');
  return mark != std::string_view::npos && path.find('=', mark) != std::string_view::npos;
}

bool is_safe(const Parts& parts) {
  if (breaks_off_in_password(parts) || has_parameters(parts.path) || has_parameters(parts.hosts)) return false;
  if (parts.scheme == "sqlite") return parts.hosts.find(':') == std::string_view::npos;  // the first folder or file of a path
  return are_hosts(parts.hosts);
}

// True if a value looks like an SQL statement: nothing in it resembles the end of a password or a parameter with one.
bool is_open_statement(std::string_view query) {
  std::string text = ascii_lower(decoded(query));
  const size_t colon = text.find(':');
  if (colon != std::string::npos && text.find('@', colon) != std::string::npos) return false;
  for (const std::string_view name : kSecretParameters) {
    if (text.find(std::string(name) + "=") != std::string::npos) return false;
  }
  text.erase(0, std::min(text.find_first_not_of(" \t\r\n+("), text.size()));
  constexpr std::string_view kFirstWords[] = {"select", "with", "values", "table"};
  return std::ranges::any_of(kFirstWords, [&](std::string_view word) { return text.starts_with(word); });
}

std::string shown_parameter(std::string_view parameter) {
  const auto [name, value] = name_and_value(parameter);
  if (listed(kSecretParameters, name)) return std::string(name) + "=" + std::string(kHidden);
  if (!listed(kOpenParameters, name)) return std::string(kHidden);
  const bool whole = ascii_lower(name) == "query" ? is_open_statement(value) : value.find_first_of("@?#") == std::string_view::npos;
  return whole ? std::string(parameter) : std::string(name) + "=" + std::string(kHidden);
}

std::string shown_parts(const Parts& parts) {
  std::string shown = std::string(parts.scheme) + std::string(kAfterScheme);
  if (!is_safe(parts)) return shown + std::string(kHidden);
  shown += parts.hosts;
  const bool open_path = parts.scheme == "sqlite" || parts.path.find_first_of(":#[]") == std::string_view::npos;
  shown += open_path ? parts.path : "/***";
  for (size_t i = 0; i < parts.parameters.size(); ++i) shown += (i == 0 ? "?" : "&") + shown_parameter(parts.parameters[i]);
  return shown;
}

// The database scheme that begins a text without "scheme://", ignoring blanks, quotes and letter case.
std::string_view begun_scheme(std::string_view text) {
  const auto first = std::ranges::find_if(text, [](unsigned char c) { return std::isalnum(c) != 0; });
  const std::string lower = ascii_lower(text.substr(static_cast<size_t>(first - text.begin()), 16));
  for (const auto& [scheme, database] : kDatabaseSchemes) {
    if (!lower.starts_with(scheme)) continue;
    const std::string_view next = std::string_view(lower).substr(scheme.size(), 1);
    if (next == ":" || next == "/") return scheme;
  }
  return {};
}

// Text that is not a URI, but may have been meant as one that holds a password.
bool is_broken_uri(std::string_view text) {
  const bool parameters = text.find('?') != std::string_view::npos && text.find('=') != std::string_view::npos;
  const size_t colon = text.find(':');
  const size_t at = text.rfind('@');
  const bool user = colon != std::string_view::npos && at != std::string_view::npos && colon < at;
  if (text.find(kAfterScheme) != std::string_view::npos || !begun_scheme(text).empty()) {
    return parameters || user || text.find(':', colon == std::string_view::npos ? text.size() : colon + 1) != std::string_view::npos;
  }
  return user && text.find('/') > colon;  // user:password@host/database, without a scheme
}

bool is_database(std::string_view scheme) {
  return database_of_scheme(scheme) != Database::kNone;
}

}  // namespace

bool has_safe_form(std::string_view name) {
  const std::string_view scheme = scheme_of(name);
  if (scheme.empty()) return !is_broken_uri(name);
  if (is_database(scheme)) return is_safe(parts_of(name, scheme));
  // For other schemes only plain words and slashes are accepted: s3://bucket/key.
  return std::ranges::all_of(name.substr(scheme.size() + kAfterScheme.size()),
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == '/'; });
}

std::string without_secrets(std::string_view name) {
  const std::string_view scheme = scheme_of(name);
  if (is_database(scheme)) return shown_parts(parts_of(name, scheme));
  if (has_safe_form(name)) return std::string(name);
  const std::string_view known = scheme.empty() ? begun_scheme(name) : scheme;
  return std::string(known) + std::string(known.empty() ? "" : kAfterScheme) + std::string(kHidden);
}

void Secrets::replace(std::string what, std::string by) {
  const auto shorter = std::ranges::find_if(replacements_, [&](const auto& other) { return other.first.size() < what.size(); });
  replacements_.insert(shorter, {std::move(what), std::move(by)});
}

void Secrets::hide_quoted(const std::string& text) {
  for (const char quote : {'"', '\''}) replace(quote + text + quote, std::string(kHidden));
}

void Secrets::add_secret(std::string secret) {
  if (secret.empty() || secret == kHidden) return;
  if (secret.size() < kMinSecret) return hide_quoted(secret);
  replace(std::move(secret), std::string(kHidden));
}

void Secrets::add(std::string_view name) {
  const std::string shown = without_secrets(name);
  if (shown == name) return;
  replace(std::string(name), shown);
  const std::string_view scheme = scheme_of(name);
  if (!is_database(scheme) || !has_safe_form(name)) return;  // it is only ever hidden as a whole
  const Parts parts = parts_of(name, scheme);
  const auto add_both = [&](std::string_view secret) {
    add_secret(std::string(secret));
    if (std::string plain = decoded(secret); plain != secret) add_secret(std::move(plain));
  };
  const size_t colon = std::min(parts.user.find(':'), parts.user.size());
  add_both(parts.user.substr(std::min(colon + 1, parts.user.size())));
  // A user name is not a secret by itself, and may be a common word: hide it only in the quotes of servers.
  for (const std::string& user : {std::string(parts.user.substr(0, colon)), decoded(parts.user.substr(0, colon))}) {
    if (!user.empty()) hide_quoted(user);
  }
  for (const std::string_view parameter : parts.parameters) {
    if (shown_parameter(parameter) == parameter) continue;
    const auto [key, value] = name_and_value(parameter);
    if (ascii_lower(key) != "user") add_both(value);
    if (!listed(kSecretParameters, key) && !listed(kOpenParameters, key)) add_both(key);
  }
}

std::string Secrets::hide(std::string message) const {
  for (const auto& [what, by] : replacements_) {
    for (size_t at = message.find(what); at != std::string::npos; at = message.find(what, at + by.size())) {
      message.replace(at, what.size(), by);
    }
  }
  return message;
}

}  // namespace neardup
