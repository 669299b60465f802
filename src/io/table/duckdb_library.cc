#include "io/table/duckdb_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>

#include "neardup/error.h"

namespace neardup::duck {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libduckdb.so";
constexpr const char* kVariable = "NEARDUP_DUCKDB";

std::string environment_of(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string program_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? "" : program.parent_path().native();
}

// Null when a place that the user did not name has no such file. Never unloads: DuckDB has threads and statics of its own.
std::unique_ptr<Api> load(const LibraryPlace& place) {
  const bool file = place.path.find('/') != std::string::npos;
  // A place that nobody named may be in a folder that this user must not read.
  std::error_code ignored;
  if (file && place.named_by.empty() && !fs::is_regular_file(place.path, ignored)) return nullptr;
  void* handle = ::dlopen(place.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    if (!file && place.named_by.empty()) return nullptr;
    const char* why = ::dlerror();
    throw Error(ErrorCode::kUsage,
                fmt::format("{}cannot load DuckDB's library '{}': {}", place.named_by.empty() ? "" : place.named_by + ": ", place.path,
                            why == nullptr ? "unknown error" : why));
  }
  auto api = std::make_unique<Api>();
  const auto find = [&](const char* name) {
    void* found = ::dlsym(handle, name);
    if (found == nullptr) {
      throw Error(ErrorCode::kUsage, fmt::format("'{}' is not DuckDB's library, or too old: it has no function {}", place.path, name));
    }
    return found;
  };
#define NEARDUP_DUCKDB_FIND(result, name, arguments) api->name = reinterpret_cast<decltype(api->name)>(find("duckdb_" #name));
  NEARDUP_DUCKDB_FUNCTIONS(NEARDUP_DUCKDB_FIND)
#undef NEARDUP_DUCKDB_FIND
  return api;
}

}  // namespace

std::vector<LibraryPlace> library_places(const std::string& option, const std::function<std::string(const char*)>& environment,
                                         const std::string& folder) {
  if (!option.empty()) return {{option, "--duckdb-library"}};
  if (const std::string named = environment(kVariable); !named.empty()) return {{named, kVariable}};
  std::vector<LibraryPlace> places;
  const auto add = [&](const std::string& base, std::string_view below) {
    if (!base.empty()) places.push_back({fmt::format("{}{}/{}", base, below, kFile), ""});
  };
  const std::string home = environment("HOME");
  std::string cache = environment("XDG_CACHE_HOME");
  if (cache.empty() && !home.empty()) cache = home + "/.cache";
  add(folder, "");
  add(folder, "/../lib");
  add(folder, "/../lib/neardup");
  add(cache, "/neardup/duckdb");
  add(home, "/.local/lib");
  add(environment("CONDA_PREFIX"), "/lib");
  places.push_back({kFile, ""});
  add("/usr/local", "/lib");  // on some systems the loader does not look there
  return places;
}

const Api& load_library(const std::string& option) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<Api>> loaded;
  const std::lock_guard lock(mutex);
  for (const LibraryPlace& place : library_places(option, environment_of, program_folder())) {
    auto& api = loaded[place.path];
    if (!api) api = load(place);
    if (api) return *api;
  }
  throw Error(ErrorCode::kUsage,
              "Parquet, CSV and TSV need DuckDB's library, libduckdb.so, which was not found; fetch it once by: neardup doctor "
              "--fetch-duckdb");
}

std::string path_of(const Api& api) {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(api.library_version), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path path = fs::canonical(info.dli_fname, error);
  return error ? info.dli_fname : path.native();
}

}  // namespace neardup::duck
