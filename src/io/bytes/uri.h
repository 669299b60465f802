// The kind of input or target that the scheme of a URI names. Its form for messages: neardup/tools/secrets.h. uri.cc also implements
// is_uri() and is_mongodb() of neardup/io.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/error.h"

namespace neardup {

/// "mongodb" of "mongodb://host/db.collection"; empty if `text` does not begin with "scheme://" (RFC 3986, section 3.1).
std::string_view scheme_of(std::string_view text) noexcept;

enum class Database : uint8_t { kNone, kMongo, kSqlite, kPostgres, kMysql };
struct DatabaseScheme {
  std::string_view scheme;
  Database database;
};
/// All schemes that are read or written.
inline constexpr DatabaseScheme kDatabaseSchemes[] = {{"mongodb", Database::kMongo},     {"mongodb+srv", Database::kMongo},
                                                      {"sqlite", Database::kSqlite},     {"postgresql", Database::kPostgres},
                                                      {"postgres", Database::kPostgres}, {"mysql", Database::kMysql},
                                                      {"mariadb", Database::kMysql}};
/// Of a scheme, as it is written there; kNone for any other.
Database database_of_scheme(std::string_view scheme) noexcept;
/// By the scheme; kNone for everything else.
Database database_of(std::string_view text) noexcept;

/// Throws Error{kUsage} when `text` has an unsupported scheme, or is a broken URI, such as one with a leading blank or a single slash,
/// unless a file has that name.
void require_known_scheme(std::string_view text);

}  // namespace neardup
