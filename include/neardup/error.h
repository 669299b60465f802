// Error: the one exception class of neardup.
//
// It is thrown only where outside bytes, files or configuration are touched. From text to sketch every function is
// total and throws nothing but std::bad_alloc. The message names the thing, the bound and the value, and is one line.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace neardup {

enum class ErrorCode {
  kUsage,     ///< a wrong option or recipe: the caller can correct the call (exit code 2)
  kInput,     ///< an input that is missing, unreadable, or changed while it was read
  kOutput,    ///< an output that cannot be written: permission, full disk, also an input
  kResource,  ///< a limit of this machine or of the options: memory, number of documents
  kStopped,   ///< the caller's stop function asked the run to end; not a failure
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace neardup
