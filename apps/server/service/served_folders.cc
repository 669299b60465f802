#include "server/service/served_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/printable.h"

namespace neardup::server {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_second(std::string_view kind, const NamedFolder& folder) {
  throw Error(ErrorCode::kUsage,
              fmt::format("two {} are named '{}'; give '{}' another name: NAME={}", kind, folder.name, folder.folder, folder.folder));
}

// A folder in which a store can be, sorted by name. Others are not for us: a half made one, or one of snapshots.
std::vector<NamedFolder> stores_in(const std::string& data) {
  std::error_code error;
  fs::create_directories(data, error);
  std::vector<NamedFolder> found;
  for (fs::directory_iterator at(data, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (cli::is_service_name(name) && fs::is_directory(at->path() / "records"))
      found.push_back({.name = name, .folder = at->path().string()});
  }
  if (error) throw Error(ErrorCode::kInput, fmt::format("cannot read the folder '{}': {}", data, error.message()));
  std::ranges::sort(found, {}, &NamedFolder::name);
  return found;
}

}  // namespace

ServedFolders::ServedFolders(const std::vector<NamedFolder>& stores, const std::string& data, const std::vector<NamedFolder>& clue_indexes,
                             const StoreService& service)
    : data_(data), service_(service) {
  for (const NamedFolder& folder : stores) open_store(folder);
  if (!data.empty()) {
    for (const NamedFolder& folder : stores_in(data)) open_store(folder);
  }
  for (const NamedFolder& folder : clue_indexes) {
    if (clue_indexes_.contains(folder.name)) refuse_second("clue indexes", folder);
    clue_indexes_.emplace(folder.name, ClueIndex::open(folder.folder, ClueAccess::kRead, make_referred_texts));
  }
}

void ServedFolders::open_store(const NamedFolder& folder) {
  if (stores_.contains(folder.name)) refuse_second("stores", folder);
  stores_.emplace(folder.name, std::make_unique<ServedStore>(folder.name, folder.folder, service_));
}

ServedStore* ServedFolders::store(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  const auto found = stores_.find(name);
  return found == stores_.end() ? nullptr : found->second.get();
}

const ClueIndex* ServedFolders::clue_index(std::string_view name) const {
  const auto found = clue_indexes_.find(name);
  return found == clue_indexes_.end() ? nullptr : &found->second;
}

void ServedFolders::for_each_store(const std::function<void(ServedStore&)>& visit) const {
  std::vector<ServedStore*> stores;
  {
    const std::shared_lock lock(mutex_);
    for (const auto& [name, store] : stores_) stores.push_back(store.get());
  }
  for (ServedStore* const store : stores) visit(*store);
}

void ServedFolders::for_each_clue_index(const std::function<void(const std::string&, const ClueIndex&)>& visit) const {
  for (const auto& [name, index] : clue_indexes_) visit(name, index);
}

ServedStore& ServedFolders::create(const std::string& name, const OnlineStoreSpec& spec, bool& created) {
  const std::lock_guard creating(creating_);
  created = false;
  if (ServedStore* const existing = store(name)) return *existing;
  auto made = std::make_unique<ServedStore>(name, data_ + "/" + name, spec, service_);
  created = true;
  const std::lock_guard lock(mutex_);
  return *stores_.emplace(name, std::move(made)).first->second;
}

}  // namespace neardup::server
