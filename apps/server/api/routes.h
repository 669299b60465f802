// The calls of the API: their paths, who may make them, and the functions that answer them. openapi.json describes the same for clients.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/call.h"

namespace neardup::server {

enum class BodyKind { kNone, kJson, kLines };

/// Where a call is answered: in the thread of the transport, if that takes microseconds or only queues it, and its body is small; in
/// ApiContext::questions, ApiContext::changes or ApiContext::upkeep.
enum class AnsweredIn { kTransport, kQuestions, kChanges, kUpkeep };

struct Route {
  HttpMethod method;
  std::string_view path;  ///< "/v1/stores/{store}/check": a part in braces is a parameter
  Role role;
  BodyKind body;
  AnsweredIn place;
  /// Answers, or hands the reply on. Throws ApiError, Error.
  void (*answer)(ApiContext&, Call&);
};

std::span<const Route> routes();

struct FoundRoute {
  const Route* route = nullptr;         ///< null: no such path, or it has other methods
  std::vector<std::string> parameters;  ///< decoded
  std::string allowed;                  ///< the methods of the path, as Allow names them; empty: there is no such path
};
/// `target` as HttpHead::target. HEAD finds what GET finds.
FoundRoute find_route(HttpMethod method, std::string_view target);

}  // namespace neardup::server
