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

std::string path_of(const std::string& directory) {
  return directory + "/COMMAND";
}

}  // namespace

void store_run_command(const std::string& directory, std::string_view command) {
  SegmentWriter writer(path_of(directory), {.kind = std::string(kKind)});
  writer.append(command);
  writer.commit();
}

bool has_run_command(const std::string& directory) {
  return path_kind(path_of(directory)) != PathKind::kMissing;
}

std::optional<std::string> load_run_command(const std::string& directory) {
  const std::string path = path_of(directory);
  if (!has_run_command(directory)) return std::nullopt;
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

void remove_run_command(const std::string& directory) noexcept {
  ::unlink(path_of(directory).c_str());
}

std::string run_identity(const std::string& directory) {
  const std::string path = directory + "/RUN";
  return path_kind(path) == PathKind::kMissing ? "" : read_file(path);
}

}  // namespace neardup
