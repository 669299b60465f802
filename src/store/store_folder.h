// The folder of an index of any kind: which of its files are ours, and what a folder is by its files.
//
//   MANIFEST             store_manifest.h
//   LOCK                 folder_lock.h
//   BUILDING             exists until the first manifest is written (new_folder.h)
//   segment-000001.ndh   segment files; their kind is that of the index; numbers are never reused
//
// Segments that no manifest lists are left over from an unfinished change; a writer removes them when it opens the folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/store_manifest.h"

namespace neardup {

/// True if the manifest shows that nothing was ever added to the store.
bool is_unused(const std::string& folder);
/// Marks a folder that becomes a store, and removes the mark. Throw Error{kOutput} and Error{kInput}.
void mark_folder(const std::string& folder);
void unmark_folder(const std::string& folder);
/// Throws Error{kOutput} unless the existing folder is empty, or holds an unused store or the remains of a killed build.
void require_free(const std::string& folder);
std::string segment_name(uint64_t number);
/// The number of a file that segment_name() named, none for others.
std::optional<uint64_t> segment_number(std::string_view name);
/// Removes the segments that the manifest does not list, and unfinished files. Requires the lock.
void sweep_folder(const std::string& folder, const StoreManifest& manifest);

}  // namespace neardup
