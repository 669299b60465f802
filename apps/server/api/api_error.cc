#include "server/api/api_error.h"

#include <fmt/format.h>

#include "neardup/tools/online_answer.h"

namespace neardup::server {
namespace {

std::string_view status_title(uint16_t status) noexcept {
  switch (status) {
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return status < 500 ? "Bad Request" : "Internal Server Error";
  }
}

}  // namespace

HttpResponse problem_response(uint16_t status, std::string_view detail) {
  HttpResponse response{.status = status, .content_type = "application/problem+json"};
  response.body = fmt::format(R"({{"type":"about:blank","title":"{}","status":{},"detail":)", status_title(status), status);
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
