#include "io/sql/postgres/sql_postgres_client.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "io/bytes/retry.h"

namespace neardup {

PostgresClient::PostgresClient(const SqlAddress& address, const SqlAccess& access) : address_(address), access_(access) {
  connect();
  if (PQstatus(connection_.get()) != CONNECTION_OK) refuse();
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  for (const char* setting : {"SET DateStyle TO 'ISO, YMD'", "SET IntervalStyle TO 'postgres'", "SET TimeZone TO 'UTC'",
                              "SET extra_float_digits TO 3", "SET bytea_output TO 'hex'", "SET standard_conforming_strings TO on",
                              "SET statement_timeout TO 0", "SET idle_in_transaction_session_timeout TO 0"})
    run(setting, [](const PGresult*) {});
}

void PostgresClient::connect() {
  std::map<std::string, std::string> settings{{"connect_timeout", "10"}, {"application_name", "neardup"}};
  for (const auto& [name, value] : address_.settings) settings[name] = value;
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) settings[name] = value;
  };
  set("host", address_.host);
  set("port", address_.port);
  set("user", address_.user);
  set("password", address_.password);
  set("dbname", address_.database);
  settings["client_encoding"] = "UTF8";
  std::vector<const char*> names;
  std::vector<const char*> values;
  for (const auto& [name, value] : settings) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  connection_.reset(PQconnectdbParams(names.data(), values.data(), 0));
}

void PostgresClient::run(const std::string& sql, const std::function<void(const PGresult*)>& visit) {
  // The extended protocol takes one statement only, whatever a name or a condition holds.
  if (PQsendQueryParams(connection_.get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0) == 0 ||
      PQsetSingleRowMode(connection_.get()) == 0)
    fail(nullptr);
  Result bad;
  changed_ = 0;
  while (Result result{PQgetResult(connection_.get())}) {
    switch (PQresultStatus(result.get())) {
      case PGRES_SINGLE_TUPLE:
        visit(result.get());
        break;
      case PGRES_TUPLES_OK:
      case PGRES_COMMAND_OK:
      case PGRES_EMPTY_QUERY:
        changed_ = std::strtoull(PQcmdTuples(result.get()), nullptr, 10);
        break;
      default:
        bad = std::move(result);
    }
  }
  if (bad) fail(bad.get());
  if (PQstatus(connection_.get()) != CONNECTION_OK) fail(nullptr);
}

PostgresClient::Result PostgresClient::whole(const std::string& sql) const {
  Result result(PQexecParams(connection_.get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0));
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK) fail(result.get());
  return result;
}

// Wrong users and databases stay wrong; a server that is away may come back.
void PostgresClient::refuse() const {
  const std::string why = scrub(address_, PQerrorMessage(connection_.get()));
  const std::string message = fmt::format("cannot connect to '{}': {}", address_.shown, why);
  const bool final = why.find("FATAL") != std::string::npos && why.find("starting up") == std::string::npos &&
                     why.find("shutting down") == std::string::npos && why.find("too many") == std::string::npos &&
                     why.find("recovery") == std::string::npos;
  if (final || why.find("invalid") != std::string::npos || why.find("no password") != std::string::npos) throw Error(access_.code, message);
  throw TransientError(access_.code, message);
}

void PostgresClient::fail(const PGresult* result) const {
  const char* state = result != nullptr ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
  const std::string code = state != nullptr ? state : "";
  const char* primary = result != nullptr ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : nullptr;
  std::string why = primary != nullptr ? primary : PQerrorMessage(connection_.get());
  if (const char* detail = result != nullptr ? PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL) : nullptr)
    why += fmt::format(" ({})", detail);
  const std::string message = fmt::format("'{}': {}", address_.shown, scrub(address_, why));
  static const std::set<std::string> later = {"57P01", "57P02", "57P03", "40001", "40P01", "53300", "55P03"};
  if (PQstatus(connection_.get()) != CONNECTION_OK || code.starts_with("08") || later.contains(code)) {
    throw TransientError(access_.code, message);
  }
  throw Error(access_.code, message);
}

}  // namespace neardup
