// LineTarget: where the lines of a sink go: a file, standard output, or something that makes rows or documents of them.
//
// A line is a JSON object and '\n'. Lines come in input order from one thread at a time. Nothing appears under its final name before
// commit() (law 6); a target that is destroyed without commit() leaves no trace where the other side allows it, and says where it does not.
// withdraw() undoes commit() as far as the other side allows it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/io.h"

namespace neardup {

class LineTarget : public Committable {
 public:
  /// Whole lines. Throws Error{kOutput}.
  virtual void append(std::string_view lines) = 0;
  /// The member that every line must have, because rows are stored under it ("_id"); empty: none.
  [[nodiscard]] virtual std::string_view key_member() const noexcept { return {}; }
  /// True if a line changes what is stored under its key: it has the key and the members to set, and no others.
  [[nodiscard]] virtual bool updates() const noexcept { return false; }
};

/// One kind of target that is not a plain file. A new one is a file of its own and a line in line_target.cc.
struct TargetKind {
  std::string_view name;
  /// True if `target`, as the user named it, is of this kind.
  bool (*takes)(const std::string& target);
  /// Throws Error{kOutput}, kUsage.
  std::unique_ptr<LineTarget> (*open)(const std::string& target, const TargetOptions& options);
};

/// The target that `target` names; a file, compressed by its ending, where no kind takes it.
std::unique_ptr<LineTarget> open_target(const std::string& target, const TargetOptions& options);

/// A file of exactly the bytes that are appended, whatever its name.
std::unique_ptr<LineTarget> open_file_target(const std::string& path);

}  // namespace neardup
