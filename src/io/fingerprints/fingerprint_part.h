// FingerprintReader::Part: the fingerprints of one input.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/json/problem.h"
#include "neardup/tools/fingerprint_files.h"

namespace neardup {

class FingerprintReader::Part {
 public:
  virtual ~Part() = default;
  enum class Outcome { kEntry, kRejected, kEnd };
  /// kEntry fills the entry; kRejected sets problem() and line(). Throws as FingerprintReader::next().
  virtual Outcome next(FingerprintEntry& entry) = 0;
  [[nodiscard]] virtual bool waiting() const { return false; }
  [[nodiscard]] virtual uint64_t bytes() const noexcept = 0;
  /// Where the last one stands, "FILE:ROW".
  [[nodiscard]] virtual std::string place() const = 0;

  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
  [[nodiscard]] std::string_view line() const noexcept { return line_; }

 protected:
  Problem problem_;
  std::string_view line_;
};

/// `format` outlives the part, which sets its recipe_id. Throw Error{kInput}.
std::unique_ptr<FingerprintReader::Part> make_fingerprint_lines(const std::string& path, FingerprintFormat& format);
std::unique_ptr<FingerprintReader::Part> make_fingerprint_array(const std::string& path, const FingerprintFormat& format);

}  // namespace neardup
