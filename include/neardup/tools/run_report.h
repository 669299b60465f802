// report_page(): the report of a finished run as one HTML page.
//
//   const std::string page = neardup::report_page(json);  // write it to report.html and open it in a browser
//
// Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

/// The page that shows `json`, a report as docs/formats.md describes it, UTF-8: self-contained, so that it needs no network and no other
/// file. Whatever texts the report quotes, they cannot end the page's script or style; a browser shows a message if `json` is malformed.
[[nodiscard]] std::string report_page(std::string_view json);

}  // namespace neardup
