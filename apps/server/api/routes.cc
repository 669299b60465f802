#include "server/api/routes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "server/api/calls.h"

namespace neardup::server {
namespace {

using enum HttpMethod;
using enum BodyKind;
using In = AnsweredIn;

constexpr std::array kRoutes{
    Route{kPost, "/v1/stores/{store}/check", Role::kWrite, kJson, In::kTransport, call_check},
    Route{kPost, "/v1/stores/{store}/check-batch", Role::kWrite, kLines, In::kQuestions, call_check_batch},
    Route{kPost, "/v1/stores/{store}/query", Role::kRead, kJson, In::kQuestions, call_query},
    Route{kPost, "/v1/stores/{store}/query-batch", Role::kRead, kLines, In::kQuestions, call_query_batch},
    Route{kPost, "/v1/stores/{store}/explain", Role::kRead, kJson, In::kQuestions, call_explain},
    Route{kGet, "/v1/stores/{store}/documents", Role::kRead, kNone, In::kQuestions, call_list_documents},
    Route{kGet, "/v1/stores/{store}/documents/{id}", Role::kRead, kNone, In::kQuestions, call_get_document},
    Route{kDelete, "/v1/stores/{store}/documents/{id}", Role::kWrite, kNone, In::kChanges, call_delete_document},
    Route{kPost, "/v1/stores/{store}/delete-batch", Role::kWrite, kJson, In::kChanges, call_delete_batch},
    Route{kGet, "/v1/stores/{store}/clusters", Role::kRead, kNone, In::kQuestions, call_list_clusters},
    Route{kGet, "/v1/stores/{store}/clusters/{id}", Role::kRead, kNone, In::kQuestions, call_get_cluster},
    Route{kGet, "/v1/stores/{store}/stats", Role::kRead, kNone, In::kQuestions, call_stats},
    Route{kGet, "/v1/stores/{store}/events", Role::kRead, kNone, In::kQuestions, call_events},
    Route{kPost, "/v1/stores/{store}/sync", Role::kWrite, kNone, In::kChanges, call_sync},
    Route{kPost, "/v1/stores/{store}/snapshot", Role::kAdmin, kNone, In::kUpkeep, call_snapshot},
    Route{kPost, "/v1/stores/{store}/compact", Role::kAdmin, kNone, In::kUpkeep, call_compact},
    Route{kGet, "/v1/stores/{store}", Role::kRead, kNone, In::kQuestions, call_get_store},
    Route{kPut, "/v1/stores/{store}", Role::kAdmin, kJson, In::kQuestions, call_create_store},
    Route{kGet, "/v1/stores", Role::kRead, kNone, In::kQuestions, call_list_stores},
    Route{kGet, "/v1/clue-indexes", Role::kRead, kNone, In::kQuestions, call_list_clue_indexes},
    Route{kPost, "/v1/clue-indexes/{index}/search", Role::kRead, kJson, In::kQuestions, call_search},
    Route{kGet, "/v1/clue-indexes/{index}/texts/{text}", Role::kRead, kNone, In::kQuestions, call_get_text},
    Route{kGet, "/v1/key", Role::kNone, kNone, In::kTransport, call_key},
    Route{kGet, "/healthz", Role::kNone, kNone, In::kTransport, call_health},
    Route{kGet, "/readyz", Role::kNone, kNone, In::kTransport, call_ready},
    Route{kGet, "/openapi.json", Role::kNone, kNone, In::kTransport, call_openapi},
};

std::string_view name_of(HttpMethod method) noexcept {
  switch (method) {
    case kGet:
      return "GET, HEAD";
    case kPost:
      return "POST";
    case kPut:
      return "PUT";
    case kDelete:
      return "DELETE";
    default:
      return "";
  }
}

// The next part of a path, up to '/', which is taken off.
std::string_view next_part(std::string_view& path) {
  const size_t end = std::min(path.find('/'), path.size());
  const std::string_view part = path.substr(0, end);
  path.remove_prefix(std::min(end + 1, path.size()));
  return part;
}

// The parameters, if the path has this form. An encoded slash is a part of a parameter; an empty parameter matches nothing.
std::optional<std::vector<std::string>> match_path(std::string_view form, std::string_view path) {
  if (std::ranges::count(form, '/') != std::ranges::count(path, '/')) return {};
  std::vector<std::string> parameters;
  while (!form.empty()) {
    const std::string_view expected = next_part(form);
    const std::string_view part = next_part(path);
    if (!expected.starts_with('{')) {
      if (expected != part) return {};
      continue;
    }
    std::optional<std::string> value = percent_decoded(part);
    if (!value || value->empty()) return {};
    parameters.push_back(std::move(*value));
  }
  return parameters;
}

}  // namespace

std::span<const Route> routes() {
  return kRoutes;
}

FoundRoute find_route(HttpMethod method, std::string_view target) {
  if (method == kHead) method = kGet;
  const std::string_view path = target.substr(0, target.find('?'));
  FoundRoute found;
  for (const Route& route : kRoutes) {
    auto parameters = match_path(route.path, path);
    if (!parameters) continue;
    if (!found.allowed.empty()) found.allowed += ", ";
    found.allowed += name_of(route.method);
    if (route.method != method) continue;
    found.route = &route;
    found.parameters = std::move(*parameters);
  }
  return found;
}

}  // namespace neardup::server
