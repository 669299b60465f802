// The reply to a request of a connection, for the handler. It may outlive the connection and the server: then what it says is dropped.
#pragma once

#include <memory>

#include "server/http/http.h"

namespace neardup::server {

class Connection;

/// `chunked`: streams are sent in chunks; else until the connection is closed.
[[nodiscard]] HttpReply make_reply(std::weak_ptr<Connection> connection, bool chunked);

}  // namespace neardup::server
