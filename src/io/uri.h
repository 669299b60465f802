// What the parts that talk to databases want of a URI: its scheme, and a form without secrets for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/error.h"

namespace neardup {

/// "mongodb" of "mongodb://host/db.collection"; empty if `text` has no "scheme://" in front (RFC 3986, section 3.1).
std::string_view scheme_of(std::string_view text) noexcept;

enum class Database : uint8_t { kNone, kMongo, kSqlite, kPostgres, kMysql };
/// By the scheme; kNone for everything else.
Database database_of(std::string_view text) noexcept;

/// The URI without user, password and the values of parameters that name secrets: what messages, verdicts and journals show. Other text
/// is returned as it is.
std::string without_secrets(std::string_view uri);

/// Throws Error{code} when `text` has a scheme: nothing reads or writes it.
void require_known_scheme(std::string_view text, ErrorCode code);

}  // namespace neardup
