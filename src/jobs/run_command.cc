#include "neardup/tools/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/open_file.h"
#include "neardup/error.h"
#include "store/segment_file.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

constexpr std::string_view kKind = "command";

std::string path_of(const std::string& folder) {
  return folder + "/COMMAND";
}

}  // namespace

void store_run_command(const std::string& folder, std::string_view command) {
  SegmentWriter writer(path_of(folder), {.kind = std::string(kKind)});
  writer.append(command);
  writer.commit();
}

bool has_run_command(const std::string& folder) {
  return path_kind(path_of(folder)) != PathKind::kMissing;
}

std::optional<std::string> load_run_command(const std::string& folder) {
  const std::string path = path_of(folder);
  if (!has_run_command(folder)) return std::nullopt;
  // Read, not mapped: it is one small block, and a program reads it before it does anything else.
  const std::string bytes = read_file(path);
  if (bytes.starts_with("{\"format\":1,")) {
    throw Error(ErrorCode::kInput,
                fmt::format("'{}' has format 1, without a checksum; this program reads format 2: begin the run again", path));
  }
  const SegmentFile file(bytes, path, kKind, 0);
  file.verify_all(1);
  return std::string(file.payload());
}

void remove_run_command(const std::string& folder) noexcept {
  ::unlink(path_of(folder).c_str());
}

std::string run_identity(const std::string& folder) {
  const std::string path = folder + "/RUN";
  return path_kind(path) == PathKind::kMissing ? "" : read_file(path);
}

}  // namespace neardup
