#include "io/mongo/mongo_uri.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "base/hex.h"
#include "io/bytes/uri.h"
#include "io/json/json_scan.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/secrets.h"

namespace neardup {
namespace {

constexpr std::string_view kForm = "write mongodb://[user:password@]host[:port]/db.collection[?options]";

constexpr std::string_view kEscapes =
    "not a MongoDB URI with unambiguous parts: a port is a number up to 65535, and in a user name or password '@' is written %40, "
    "'/' %2F, '?' %3F, ':' %3A and '%' %25";

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(ErrorCode::kUsage, "'" + without_secrets(text) + "': " + why);
}

// "B:1,a:2" -> "a:2,b:1"
std::string in_order(std::string_view hosts) {
  std::vector<std::string> names;
  while (true) {
    const size_t end = std::min(hosts.find(','), hosts.size());
    names.push_back(ascii_lower(hosts.substr(0, end)));
    if (end == hosts.size()) break;
    hosts.remove_prefix(end + 1);
  }
  std::ranges::sort(names);
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ",") + name;
  return joined;
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
    if (low < 0) {
      decoded.push_back(text[i]);
    } else {
      decoded.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    }
  }
  return decoded;
}

bool MongoPlace::takes(std::string_view text) noexcept {
  return is_mongodb(text);
}

MongoPlace MongoPlace::parse(std::string_view text) {
  const std::string prefix = std::string(scheme_of(text)) + "://";
  std::string_view rest = text.substr(prefix.size());
  const size_t question = std::min(rest.find('?'), rest.size());
  const std::string_view options = rest.substr(question);
  rest = rest.substr(0, question);
  const size_t at = rest.rfind('@');
  const std::string_view user = at == std::string_view::npos ? std::string_view() : rest.substr(0, at + 1);
  rest.remove_prefix(user.size());
  const size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view hosts = rest.substr(0, slash);
  const std::string_view path = slash == rest.size() ? std::string_view() : rest.substr(slash + 1);
  if (hosts.empty()) refuse(text, "it names no host; " + std::string(kForm));
  // The driver's message quotes the supposed port, which may be a part of a password.
  if (!has_safe_form(text)) refuse(text, std::string(kEscapes) + "; " + std::string(kForm));
  const std::string name = percent_decoded(path);
  const size_t dot = name.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == name.size()) {
    const std::string lacks = name.empty() || dot == 0 ? "no database" : "no collection";
    refuse(text, "it names " + lacks + "; " + std::string(kForm));
  }
  MongoPlace place;
  place.database = name.substr(0, dot);
  place.collection = name.substr(dot + 1);
  if (place.database.find_first_of("/\\ \"$*<>:|?") != std::string::npos) refuse(text, "no database can have this name");
  if (place.collection.find('$') != std::string::npos) refuse(text, "no collection can have '$' in its name");
  const std::string database(path.substr(0, path.find('.')));
  place.uri = prefix + std::string(user) + std::string(hosts) + "/" + database + std::string(options);
  place.hosts = in_order(hosts);
  place.secrets.add(text);
  place.secrets.add(place.uri);
  place.shown = prefix + std::string(hosts) + "/" + name;
  return place;
}

bool same_collection(const MongoPlace& a, const MongoPlace& b) noexcept {
  return a.hosts == b.hosts && a.database == b.database && a.collection == b.collection;
}

}  // namespace neardup
