// Implements check_outputs() and shown_output() of neardup/io.h: an output must not destroy an input, another output or an index.
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "base/open_file.h"
#include "io/bytes/uri.h"
#include "neardup/error.h"
#include "neardup/hamming_store.h"
#include "neardup/io.h"
#include "neardup/tools/secrets.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

using FileId = std::pair<uint64_t, uint64_t>;  // device, inode

// False for files that do not exist, or have no content to lose (/dev/null).
bool identify(const std::string& path, FileId& id) {
  struct stat status {};
  if (path == "-" || path_kind(path) != PathKind::kFile || ::stat(path.c_str(), &status) != 0) return false;
  id = {static_cast<uint64_t>(status.st_dev), static_cast<uint64_t>(status.st_ino)};
  return true;
}

bool is_device(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode);
}

// The path without links and dots, as far as it exists.
std::string resolve(const std::string& path) {
  if (path == "-") return path;
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  const fs::path resolved = fs::weakly_canonical(absolute, error);
  return error ? path : resolved.native();
}

// The index folder that the path is in, or empty. `resolved` is its resolve().
std::string index_around(const std::string& resolved) {
  if (resolved == "-") return {};
  for (fs::path folder = fs::path(resolved).parent_path();; folder = folder.parent_path()) {
    const HammingStorePlace place = find_hamming_store(folder.native());
    if (place == HammingStorePlace::kStore || place == HammingStorePlace::kUnfinished) return folder.native();
    if (folder == folder.parent_path()) return {};
  }
}

std::string shown(const std::string& path) {
  return path == "-" ? "standard output" : "'" + path + "'";
}

}  // namespace

std::string shown_output(const std::string& output) {
  return without_secrets(output);
}

void check_outputs(const std::vector<std::string>& outputs, const DocumentSource& source) {
  std::vector<std::string> inputs;
  for (uint32_t i = 0; i < source.source_count(); ++i) inputs.emplace_back(source.source_name(i));
  check_outputs(outputs, inputs);
}

void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  std::map<std::string, std::string> by_path;
  std::map<FileId, std::string> by_file;
  for (const std::string& output : outputs) {
    if (is_uri(output)) {  // the target itself checks what it must not overwrite
      if (by_path.try_emplace(output, output).second) continue;
      throw Error(ErrorCode::kUsage, "two outputs are the same: '" + without_secrets(output) + "'");
    }
    const std::string resolved = resolve(output);
    if (const std::string index = index_around(resolved); !index.empty()) {
      throw Error(ErrorCode::kUsage,
                  "the output " + shown(output) + " is inside the index '" + index + "', which may hold only its own files");
    }
    const auto [before, inserted] = by_path.try_emplace(resolved, output);
    if (!inserted && !is_device(output)) {
      throw Error(ErrorCode::kUsage, "two outputs are the same: " + shown(before->second) + " and " + shown(output));
    }
    FileId id;
    if (identify(output, id)) by_file.emplace(id, output);
  }
  if (by_file.empty()) return;
  for (const std::string& input : inputs) {
    FileId id;
    if (!identify(input, id)) continue;
    const auto output = by_file.find(id);
    if (output != by_file.end()) {
      throw Error(ErrorCode::kUsage, "the output " + shown(output->second) + " is also an input: '" + input + "'");
    }
  }
}

}  // namespace neardup
