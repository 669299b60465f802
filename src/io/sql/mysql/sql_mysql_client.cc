#include "io/sql/mysql/sql_mysql_client.h"

#include <fmt/format.h>

#include <set>

#include "io/bytes/retry.h"

namespace neardup {
namespace {

constexpr unsigned int kConnectSeconds = 10;
constexpr unsigned int kTalkSeconds = 3600;

struct FreeResult {
  void operator()(MYSQL_RES* result) const noexcept { mysql_free_result(result); }
};

}  // namespace

MysqlClient::MysqlClient(const SqlAddress& address, const SqlAccess& access)
    : address_(address), access_(access), mysql_(mysql_init(nullptr)) {
  if (mysql_ == nullptr) throw Error(ErrorCode::kResource, "no memory for a connection to MySQL");
  const std::string socket = set_all();
  const auto or_null = [](const std::string& text) { return text.empty() ? nullptr : text.c_str(); };
  const unsigned int port = address.port.empty() ? 0 : static_cast<unsigned int>(std::stoul(address.port));
  if (mysql_real_connect(mysql_.get(), or_null(address.host), or_null(address.user), or_null(address.password), address.database.c_str(),
                         port, or_null(socket), 0) == nullptr) {
    fail("cannot connect to ");
  }
}

std::string MysqlClient::set_all() {
  set(MYSQL_SET_CHARSET_NAME, "utf8mb4");
  set(MYSQL_OPT_CONNECT_TIMEOUT, &kConnectSeconds);
  set(MYSQL_OPT_READ_TIMEOUT, &kTalkSeconds);
  set(MYSQL_OPT_WRITE_TIMEOUT, &kTalkSeconds);
  const unsigned int off = 0;
  set(MYSQL_OPT_LOCAL_INFILE, &off);  // a server must not ask for files
  const auto group = address_.settings.find("default_group");
  set(MYSQL_READ_DEFAULT_GROUP, group == address_.settings.end() ? "client" : group->second.c_str());
  std::string socket;
  for (const auto& [name, value] : address_.settings) {
    if (name == "socket") {
      socket = value;
    } else if (name == "default_file") {
      set(MYSQL_READ_DEFAULT_FILE, value.c_str());
    } else if (name == "ssl_ca") {
      set(MYSQL_OPT_SSL_CA, value.c_str());
    } else if (name == "ssl_cert") {
      set(MYSQL_OPT_SSL_CERT, value.c_str());
    } else if (name == "ssl_key") {
      set(MYSQL_OPT_SSL_KEY, value.c_str());
    } else if (name == "ssl_verify") {
      const auto verify = static_cast<my_bool>(value != "0");
      set(MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
    } else if (name != "default_group") {
      throw Error(access_.code, fmt::format("'{}': MySQL has no other parameters than table, query, user, password, socket, default_file, "
                                            "default_group, ssl_ca, ssl_cert, ssl_key and ssl_verify",
                                            address_.shown));
    }
  }
  return socket;
}

void MysqlClient::run(const std::string& sql, const std::function<void(MYSQL_RES*)>& use) {
  if (mysql_real_query(mysql_.get(), sql.data(), static_cast<unsigned long>(sql.size())) != 0) fail();
  const std::unique_ptr<MYSQL_RES, FreeResult> result(mysql_use_result(mysql_.get()));
  if (result != nullptr) use(result.get());
  if (mysql_errno(mysql_.get()) != 0) fail();
}

std::string MysqlClient::quoted(std::string_view text) {
  std::string escaped(text.size() * 2 + 1, '\0');
  escaped.resize(mysql_real_escape_string(mysql_.get(), escaped.data(), text.data(), static_cast<unsigned long>(text.size())));
  return "'" + escaped + "'";
}

void MysqlClient::fail(const char* before) const {
  const unsigned int number = mysql_errno(mysql_.get());
  const std::string message = fmt::format("{}'{}': {}", before, address_.shown, scrub(address_, mysql_error(mysql_.get())));
  // Gone or lost, too many connections, shutting down, waited too long for a lock, deadlock, killed.
  static const std::set<unsigned int> later = {2002, 2003, 2006, 2013, 2055, 1040, 1053, 1205, 1213, 1317, 1927};
  if (later.contains(number)) throw TransientError(access_.code, message);
  throw Error(access_.code, message);
}

}  // namespace neardup
