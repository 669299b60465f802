// All kinds of inputs and targets that are not plain files, one line each. Implements port/connectors.h.
#include "io/port/connectors.h"

#include <algorithm>
#include <span>

#include "io/bytes/output_file.h"
#include "io/bytes/uri.h"
#include "io/mongo/mongo_source.h"
#include "io/mongo/mongo_target.h"
#include "io/sql/sql_source.h"
#include "io/sql/sql_target.h"
#include "io/table/table_source.h"
#include "io/table/table_target.h"

namespace neardup {
namespace {

// One line per kind; the first that accepts an input opens it.
std::span<const SourceKind* const> source_kinds() {
  static const SourceKind* const kinds[] = {&mongo_source_kind(), &sql_source_kind(), &table_source_kind()};
  return kinds;
}

// One line per kind; the first that accepts a target opens it.
std::span<const TargetKind* const> target_kinds() {
  static const TargetKind* const kinds[] = {&mongo_target_kind(), &sql_target_kind(), &table_target_kind()};
  return kinds;
}

// A file or standard output.
class FileTarget final : public LineTarget {
 public:
  explicit FileTarget(const std::string& path) : file_(path) {}
  void append(std::string_view lines) override { file_.append(lines); }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  OutputFile file_;
};

const TargetKind* kind_of(const std::string& target) {
  const auto kinds = target_kinds();
  const auto found = std::ranges::find_if(kinds, [&](const TargetKind* kind) { return kind->takes(target); });
  return found == kinds.end() ? nullptr : *found;
}

}  // namespace

const SourceKind* source_kind_of(const std::string& input, InputFormat format) {
  const auto kinds = source_kinds();
  const auto found = std::ranges::find_if(kinds, [&](const SourceKind* kind) { return kind->takes(input, format); });
  if (found != kinds.end()) return *found;
  require_known_scheme(input);
  return nullptr;
}

std::unique_ptr<LineTarget> open_target(const std::string& target, const TargetOptions& options) {
  if (const TargetKind* kind = kind_of(target)) return kind->open(target, options);
  require_known_scheme(target);
  return std::make_unique<FileTarget>(target);
}

std::unique_ptr<LineTarget> open_file_target(const std::string& path) {
  return std::make_unique<FileTarget>(path);
}

}  // namespace neardup
