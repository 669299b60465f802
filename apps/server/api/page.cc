#include "server/api/page.h"

#include <algorithm>
#include <string>

#include "server/api/page_assets.h"

namespace neardup::server {
namespace {

constexpr std::string_view kNoPage = "This server was built without its page. The API is described at /openapi.json.\n";
// Nothing but our own files, and nothing that is in a page.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action "
    "'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

}  // namespace

std::optional<HttpResponse> page_response(std::string_view path, bool accepts_gzip, std::string_view if_none_match) {
  const auto assets = page_assets();
  if (path == "/" && assets.empty()) return HttpResponse{.content_type = "text/plain; charset=utf-8", .fixed_body = kNoPage};
  const auto found = std::ranges::find(assets, path, &PageAsset::path);
  if (found == assets.end()) return {};
  HttpResponse response{.content_type = found->content_type, .fixed_body = accepts_gzip ? found->gzip : found->plain};
  response.headers = {
      {"Content-Security-Policy", kPolicy}, {"Referrer-Policy", "no-referrer"}, {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cache-Control", "no-cache"},        {"Vary", "Accept-Encoding"},        {"ETag", "W/" + std::string(found->etag)}};
  if (accepts_gzip) response.headers.emplace_back("Content-Encoding", "gzip");
  // A weak comparison with each tag of the list. The tag is weak because it is that of both encodings.
  if (if_none_match == "*" || if_none_match.find(found->etag) != std::string_view::npos) {
    response.status = 304;
    response.content_type = {};
    response.fixed_body = {};
  }
  return response;
}

}  // namespace neardup::server
