// Any bytes as a URI of MongoDB or SQL, with a password in it: an Error of wrong usage, or an address; and the password is in nothing that
// people are shown: neither the message nor the shown form, neither as they are nor as the program prints them.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_support.h"
#include "io/bytes/uri.h"
#include "io/mongo/mongo_uri.h"
#include "io/sql/sql_address.h"
#include "neardup/tools/printable.h"
#include "neardup/tools/secrets.h"

namespace {

using namespace neardup;
using fuzz::require;

constexpr std::string_view kPassword = "s3cr3tPW";
constexpr std::array<std::string_view, 8> kSchemes{"mongodb://", "mongodb+srv://", "postgresql://", "postgres://",
                                                   "mysql://",   "mariadb://",     "sqlite://",     "MySQL://"};
// The place of a password: that of a user, or the value of a parameter.
constexpr std::array<std::string_view, 6> kBefore{
    ":", "?password=", "&pass=", "?table=t&pwd=", "&sslpassword=", "?tlsCertificateKeyFilePassword="};

void require_hidden(std::string_view text) {
  require(text.find(kPassword) == std::string_view::npos);
  const std::string line = printable(text);  // a URI may hold any byte; a message quotes it
  require(line.find('\n') == std::string::npos && line.find(kPassword) == std::string::npos);
}

template <typename Parse>
void parse_hidden(const Parse& parse) {
  try {
    require_hidden(parse());
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kUsage);
    require_hidden(error.what());
  }
}

void parse(const std::string& uri) {
  require_hidden(without_secrets(uri));
  parse_hidden([&] {
    require_known_scheme(uri);
    return std::string();
  });
  if (is_sql_uri(uri)) parse_hidden([&] { return parse_sql_address(uri).shown; });
  if (MongoPlace::takes(uri)) parse_hidden([&] { return MongoPlace::parse(uri).shown; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Fields fields({reinterpret_cast<const char*>(data), size});
  const std::string scheme(kSchemes[fields.byte() % kSchemes.size()]);
  const std::string_view before = kBefore[fields.byte() % kBefore.size()];
  const std::string user(fields.until('\n'));
  const std::string rest(fields.rest());
  (void)without_secrets(user + rest);                                 // any bytes
  if ((user + rest).find(kPassword) != std::string::npos) return -1;  // also occurs elsewhere: the check is impossible
  std::string uri = scheme + user;
  uri += before;
  uri += kPassword;
  if (before == ":") uri += '@';
  parse(uri + rest);
  return 0;
}
