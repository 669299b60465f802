// The files of the page that the server shows to browsers, as bytes of the program. Defined by a file that the build makes of web/online
// (cmake/OnlinePage.cmake).
#pragma once

#include <span>
#include <string_view>

namespace neardup::server {

/// All views live as long as the program.
struct PageAsset {
  std::string_view path;  ///< "/", "/app.js", "/app.css", "/favicon.svg"
  std::string_view content_type;
  std::string_view gzip;  ///< the same bytes as `plain`, compressed
  std::string_view plain;
  std::string_view etag;  ///< of `plain`, with its quotes
};

/// Empty in a program that was built without the page (NEARDUP_PAGE=off, or npm was missing). For any thread.
[[nodiscard]] std::span<const PageAsset> page_assets();

}  // namespace neardup::server
