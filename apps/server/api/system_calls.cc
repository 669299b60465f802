// The service itself: the key of a client, health, readiness, the description of the API.
#include <fmt/format.h>

#include <utility>

#include "server/api/calls.h"
#include "server/api/openapi.h"

namespace neardup::server {
namespace {

HttpResponse plain_response(std::string body, uint16_t status = 200) {
  return {.status = status, .content_type = "text/plain; charset=utf-8", .body = std::move(body)};
}

}  // namespace

void call_key(ApiContext& context, Call& call) {
  call.check_query({});
  call.reply.send(
      json_response(fmt::format(R"({{"role":"{}","keys":{},"version":"{}"}})", to_string(call.role), call.keys, context.options.version)));
}

void call_health(ApiContext&, Call& call) {
  call.reply.send(plain_response("ok\n"));
}

void call_ready(ApiContext& context, Call& call) {
  if (context.stopping) return call.reply.send(plain_response("the server is stopping\n", 503));
  std::string problems;
  context.folders.for_each_store([&](ServedStore& store) {
    if (!store.store().stat().failure.empty())
      problems += fmt::format("store {}: takes no changes until the server is started again\n", store.name());
  });
  call.reply.send(problems.empty() ? plain_response("ok\n") : plain_response(std::move(problems), 503));
}

void call_openapi(ApiContext&, Call& call) {
  call.reply.send({.content_type = "application/json", .fixed_body = openapi_json()});
}

}  // namespace neardup::server
