// ApiError: a request that cannot be answered as asked, as a problem of RFC 9457. Thrown within a call, and turned into the answer by Api.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "neardup/error.h"
#include "server/http/http.h"

namespace neardup::server {

class ApiError : public std::exception {
 public:
  ApiError(uint16_t status, std::string detail) : status_(status), detail_(std::move(detail)) {}
  [[nodiscard]] uint16_t status() const noexcept { return status_; }
  [[nodiscard]] const std::string& detail() const noexcept { return detail_; }
  [[nodiscard]] const char* what() const noexcept override { return detail_.c_str(); }

 private:
  uint16_t status_;
  std::string detail_;
};

/// The answer to a call that failed: type "about:blank", the usual title of the status, and the detail.
HttpResponse problem_response(uint16_t status, std::string_view detail);
/// Of an error of the library: 422 for what the caller can correct, 503 for what could not be written, 500 otherwise.
HttpResponse problem_response(const Error& error);

}  // namespace neardup::server
