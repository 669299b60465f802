// What a service manager wants to know (sd_notify(3)): that the service is ready, or is stopping.
#pragma once

#include <string_view>

namespace neardup::server {

/// Sends the state, such as "READY=1", to the socket that NOTIFY_SOCKET names, if there is one.
void notify_service_manager(std::string_view state) noexcept;

}  // namespace neardup::server
