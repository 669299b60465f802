// The folder of a Hamming store: what MANIFEST says, and how it is replaced.
//
//   MANIFEST             a checked file (segment_file.h) of the kind "manifest": the list below as JSON, then the removals
//   LOCK                 folder_lock.h
//   BUILDING             there until the first manifest is (new_folder.h)
//   segment-000001.ndh   checked files of the kind "hamming" (hamming_segment.h); numbers are never used again
//
// A manifest is written as a whole and appears by rename, after the segments that it lists: at any moment the folder is the state before a
// change or the one after it. Segments that no manifest lists are left over from a change that did not come to its end; a writer removes
// them when it opens the folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/hamming_store.h"

namespace neardup {

/// A segment and the moment it is of. The clock of a store counts removals: a removal at time t takes the entries of its id out of all
/// segments that were born before t, and out of none that was born at t or later.
struct ListedSegment {
  std::string file;      ///< its name in the folder
  uint64_t sum = 0;      ///< SegmentFile::sum()
  uint64_t born = 0;     ///< all removals up to this moment are done in it
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

  /// Throws Error{kInput} when there is none, or it is damaged, or says what cannot be.
  static HammingManifest read(const std::string& folder);
  /// Atomically. Throws Error{kOutput}.
  void write(const std::string& folder) const;
};

/// Throws Error{kUsage} that names the field, the bound and the value.
void check_spec(const HammingStoreSpec& spec);

/// True if there is a manifest by which nothing ever came into the store.
bool is_unused(const std::string& folder);
/// Marks a folder that becomes a store, and takes the mark away. Throw Error{kOutput} and Error{kInput}.
void mark_folder(const std::string& folder);
void unmark_folder(const std::string& folder);
/// Throws Error{kOutput} unless the folder, which exists, is empty, or holds an unused store or what is left of a build that was killed.
void require_free(const std::string& folder);
std::string segment_name(uint64_t number);
/// Removes the segments that the manifest does not list, and unfinished files. Requires the lock.
void sweep_folder(const std::string& folder, const HammingManifest& manifest);

}  // namespace neardup
