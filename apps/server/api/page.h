// The web page of the service, which is compiled in.
#pragma once

#include <optional>
#include <string_view>

#include "server/http/http.h"

namespace neardup::server {

/// The file of the page at this path, or nothing. Without a page in the program, "/" says so. `if_none_match`: the header.
std::optional<HttpResponse> page_response(std::string_view path, bool accepts_gzip, std::string_view if_none_match);

}  // namespace neardup::server
