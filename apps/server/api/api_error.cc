#include "server/api/api_error.h"

#include <fmt/format.h>

#include "neardup/tools/online_answer.h"
#include "server/http/status_reason.h"

namespace neardup::server {
HttpResponse problem_response(uint16_t status, std::string_view detail) {
  HttpResponse response{.status = status, .content_type = "application/problem+json"};
  response.body = fmt::format(R"({{"type":"about:blank","title":"{}","status":{},"detail":)", status_reason(status), status);
  append_json_text(detail, response.body);
  response.body += "}\n";
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"neardup\"");
  if (status == 429 || status == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

HttpResponse problem_response(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kUsage:
      return problem_response(422, error.what());
    case ErrorCode::kOutput:
    case ErrorCode::kResource:
    case ErrorCode::kStopped:
      return problem_response(503, error.what());
    case ErrorCode::kInput:
      break;
  }
  return problem_response(500, error.what());
}

}  // namespace neardup::server
