// What a browser of someone else must not do: send requests to a server on this machine from a foreign page, or by a name that a foreign
// name server points at it (DNS rebinding).
#pragma once

#include <optional>
#include <string>

#include "server/http/http.h"

namespace neardup::server {

/// Why a request is refused, or nothing. `only_local`: the server asks for no keys, and listens on the loopback interface: then Host must
/// be localhost or an address.
std::optional<std::string> foreign_name(const HttpHead& head, bool only_local);
/// The same, and requests that pages of other origins sent.
std::optional<std::string> foreign_request(const HttpHead& head, bool only_local);

}  // namespace neardup::server
