// ServedFolders: the stores and clue indexes of the service, by name.
//
// Thread-safe. Stores are never closed before the service is.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "cli/serve/named_folder.h"
#include "neardup/clue_index.h"
#include "server/service/served_store.h"

namespace neardup::server {

using cli::NamedFolder;

class ServedFolders {
 public:
  /// Opens all of them: `stores`, those in the folder `data` (empty: none), and `clue_indexes`. Throws Error that names the folder;
  /// Error{kUsage} when two have one name.
  ServedFolders(const std::vector<NamedFolder>& stores, const std::string& data, const std::vector<NamedFolder>& clue_indexes,
                const StoreService& service);

  /// Null if there is none.
  [[nodiscard]] ServedStore* store(std::string_view name) const;
  [[nodiscard]] const ClueIndex* clue_index(std::string_view name) const;
  void for_each_store(const std::function<void(ServedStore&)>& visit) const;
  void for_each_clue_index(const std::function<void(const std::string& name, const ClueIndex&)>& visit) const;
  [[nodiscard]] bool can_create() const noexcept { return !data_.empty(); }
  /// Creates a store in the folder `data`, unless one has this name; `created` says which. Throws Error. Requires can_create().
  ServedStore& create(const std::string& name, const OnlineStoreSpec& spec, bool& created);

 private:
  void open_store(const NamedFolder& folder);

  const std::string data_;
  const StoreService service_;
  std::mutex creating_;
  mutable std::shared_mutex mutex_;  // of stores_
  std::map<std::string, std::unique_ptr<ServedStore>, std::less<>> stores_;
  std::map<std::string, ClueIndex, std::less<>> clue_indexes_;
};

}  // namespace neardup::server
