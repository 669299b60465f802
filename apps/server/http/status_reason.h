// The reason phrases of HTTP's status codes (RFC 9110, section 15).
#pragma once

#include <cstdint>
#include <string_view>

namespace neardup::server {

/// "Not Found" for 404; empty for a code that is not known.
std::string_view status_reason(uint16_t status) noexcept;

}  // namespace neardup::server
