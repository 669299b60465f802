#include "server/api/origin.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <string_view>

#include "neardup/tools/printable.h"

namespace neardup::server {
namespace {

// "[::1]:8080" is "::1".
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') == std::string_view::npos ? 0 : host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

bool is_local_name(std::string_view host) {
  const std::string name(without_port(host));
  if (name == "localhost") return true;
  unsigned char address[sizeof(in6_addr)];
  return inet_pton(AF_INET, name.c_str(), address) == 1 || inet_pton(AF_INET6, name.c_str(), address) == 1;
}

}  // namespace

std::optional<std::string> foreign_name(const HttpHead& head, bool only_local) {
  if (only_local && !is_local_name(head.host))
    return fmt::format("without keys this server answers as localhost or by its address, not as '{}'", printable(head.host.substr(0, 100)));
  return {};
}

std::optional<std::string> foreign_request(const HttpHead& head, bool only_local) {
  if (auto reason = foreign_name(head, only_local)) return reason;
  const std::string_view origin = head.origin;
  const size_t scheme = origin.find("://");
  if (!origin.empty() && (scheme == std::string_view::npos || origin.substr(scheme + 3) != head.host))
    return fmt::format("requests from pages of '{}' are not taken", printable(origin.substr(0, 100)));
  if (head.fetch_site == "cross-site" || head.fetch_site == "same-site") return "requests from pages of other sites are not taken";
  return {};
}

}  // namespace neardup::server
