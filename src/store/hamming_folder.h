// The folder of a Hamming store: reads and replaces its MANIFEST.
//
//   MANIFEST             a segment file (segment_file.h) of the kind "manifest": the list below as JSON, then the removals
//   LOCK                 folder_lock.h
//   BUILDING             exists until the first manifest is written (new_folder.h)
//   segment-000001.ndh   segment files of the kind "hamming" (hamming_segment.h); numbers are never reused
//
// A manifest is written as a whole and appears by rename, after the segments that it lists: at any moment the folder is the state before a
// change or the one after it. Segments that no manifest lists are left over from an unfinished change; a writer removes them when it opens
// the folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/hamming_store.h"

namespace neardup {

/// A segment and the time of its creation. The clock of a store counts removals: a removal at time t affects the entries of its id in all
/// segments born before t, and in none born at t or later.
struct ListedSegment {
  std::string file;      ///< its name in the folder
  uint64_t sum = 0;      ///< SegmentFile::sum()
  uint64_t born = 0;     ///< all removals up to this time are applied in it
  uint64_t entries = 0;  ///< known without opening it
  friend bool operator==(const ListedSegment&, const ListedSegment&) = default;
};

struct IdRemoval {
  uint64_t id = 0;
  uint64_t time = 0;
  friend bool operator==(const IdRemoval&, const IdRemoval&) = default;
};

struct HammingManifest {
  HammingStoreSpec spec;
  uint64_t next_id = 0;
  uint64_t clock = 0;
  uint64_t next_segment = 1;
  std::vector<ListedSegment> segments = {};
  std::vector<IdRemoval> removals = {};  ///< ascending by id, one each
  friend bool operator==(const HammingManifest&, const HammingManifest&) = default;

  /// Throws Error{kInput} when it is missing, damaged or inconsistent.
  static HammingManifest read(const std::string& folder);
  /// Atomically. Throws Error{kOutput}.
  void write(const std::string& folder) const;
};

/// Throws Error{kUsage} that names the field, the bound and the value.
void check_spec(const HammingStoreSpec& spec);

/// True if the manifest shows that nothing was ever added to the store.
bool is_unused(const std::string& folder);
/// Marks a folder that becomes a store, and removes the mark. Throw Error{kOutput} and Error{kInput}.
void mark_folder(const std::string& folder);
void unmark_folder(const std::string& folder);
/// Throws Error{kOutput} unless the existing folder is empty, or holds an unused store or the remains of a killed build.
void require_free(const std::string& folder);
std::string segment_name(uint64_t number);
/// Removes the segments that the manifest does not list, and unfinished files. Requires the lock.
void sweep_folder(const std::string& folder, const HammingManifest& manifest);

}  // namespace neardup
