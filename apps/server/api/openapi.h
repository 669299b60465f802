// The description of the API, openapi.json, which is compiled in.
#pragma once

#include <string_view>

namespace neardup::server {

std::string_view openapi_json() noexcept;

}  // namespace neardup::server
