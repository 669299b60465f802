#include "online/new_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/open_file.h"
#include "neardup/error.h"
#include "online/log/record_log.h"
#include "online/store_parts.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_folder(const std::string& folder, const std::string& why) {
  throw Error(ErrorCode::kOutput, fmt::format("cannot create the store '{}': {}", folder, why));
}

void require_synced(const std::string& folder) {
  if (const int error = sync_folder(folder); error != 0) fail_folder(folder, std::strerror(error));
}

std::string repair_mark(const std::string& folder) {
  return folder + "/REPAIR";
}

void require_empty(const std::string& folder) {
  const PathKind kind = path_kind(folder);
  if (kind == PathKind::kMissing) return;
  if (kind != PathKind::kFolder) fail_folder(folder, "it is not a folder");
  std::error_code error;
  const fs::directory_iterator first(folder, error);
  if (error) fail_folder(folder, error.message());
  if (first != fs::directory_iterator())
    fail_folder(folder, fmt::format("it holds other files ('{}'); a store needs a folder of its own", first->path().filename().string()));
}

}  // namespace

NewStoreFolder::NewStoreFolder(const std::string& folder) : folder_(folder) {
  require_empty(folder);
  std::error_code error;
  const fs::path place = fs::absolute(fs::path(folder) / "", error).parent_path();
  place_ = place.string();
  fs::create_directories(place.parent_path(), error);
  hidden_ = (place.parent_path() / fmt::format(".{}.{}.partial", place.filename().string(), ::getpid())).string();
  fs::remove_all(hidden_, error);
  if (!fs::create_directory(hidden_, error)) fail_folder(folder, error.message());
}

NewStoreFolder::~NewStoreFolder() {
  std::error_code error;
  if (!committed_) fs::remove_all(hidden_, error);
}

void NewStoreFolder::commit() {
  require_synced(hidden_);
  if (::rename(hidden_.c_str(), place_.c_str()) != 0) fail_folder(folder_, std::strerror(errno));
  committed_ = true;
  require_synced(fs::path(place_).parent_path().string());
}

void create_store_folder(const std::string& folder, const OnlineSettings& settings) {
  NewStoreFolder made(folder);
  StoreParts::create(made.hidden(), settings);
  RecordLog::create(made.hidden() + "/records", settings.to_json());
  made.commit();
}

void require_store_folder(const std::string& folder, bool to_repair) {
  const auto refuse = [&](std::string_view why) { throw Error(ErrorCode::kInput, fmt::format("'{}' is not a store: {}", folder, why)); };
  switch (path_kind(folder)) {
    case PathKind::kMissing:
      refuse("it does not exist");
    case PathKind::kFolder:
      break;
    default:
      refuse("it is a file");
  }
  if (path_kind(folder + "/records/MANIFEST") == PathKind::kMissing) refuse("it has no records");
  if (!to_repair && path_kind(repair_mark(folder)) != PathKind::kMissing)
    throw Error(ErrorCode::kInput, fmt::format("'{0}': its repair was interrupted; run it again: neardup store repair {0}", folder));
}

void replace_tables(const std::string& folder, const OnlineSettings& settings) {
  AtomicFile mark(repair_mark(folder));
  mark.append("neardup store, repair not finished\n");
  mark.commit();
  std::error_code error;
  fs::remove_all(folder + "/tables", error);
  if (!error) fs::remove_all(folder + "/codes", error);
  if (error) fail_folder(folder, error.message());
  StoreParts::create(folder, settings);
}

void end_repair(const std::string& folder) {
  ::unlink(repair_mark(folder).c_str());
}

}  // namespace neardup
