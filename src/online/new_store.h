// The folder of an online store:
//
//   LOCK        folder_lock.h
//   records/    the record of truth: log/record_log.h
//   tables/     store/tables/table_store.h   } made from the records
//   codes/      a HammingStore               }
//
// A new store is made in a hidden folder next to its place, and appears by rename.
#pragma once

#include <string>
#include <string_view>

#include "online/online_settings.h"

namespace neardup {

/// A folder that appears when it is complete.
class NewStoreFolder {
 public:
  /// Throws Error{kOutput} when the folder holds anything, or cannot be written.
  explicit NewStoreFolder(const std::string& folder);
  ~NewStoreFolder();
  NewStoreFolder(const NewStoreFolder&) = delete;
  NewStoreFolder& operator=(const NewStoreFolder&) = delete;
  [[nodiscard]] const std::string& hidden() const noexcept { return hidden_; }
  void commit();

 private:
  const std::string folder_;
  std::string place_;
  std::string hidden_;
  bool committed_ = false;
};

/// Throws as NewStoreFolder.
void create_store_folder(const std::string& folder, const OnlineSettings& settings);
/// Throws Error{kInput} that says what the path is instead, or that a repair was interrupted, unless that is to be repaired.
void require_store_folder(const std::string& folder, bool to_repair = false);
/// Begins a repair: makes the tables anew, without rows. Until end_repair(), the file REPAIR marks a store that cannot be used: its tables
/// may have documents that were deleted. Throws Error{kOutput}.
void replace_tables(const std::string& folder, const OnlineSettings& settings);
void end_repair(const std::string& folder);

}  // namespace neardup
