// The MANIFEST of an index folder: its kind and spec, its segments, and which ids are removed from them.
//
// A segment file (segment_file.h) of the kind "manifest": the list below as JSON, then the removals. It is written as a whole and appears
// by rename, after the segments that it lists: at any moment the folder is the state before a change or the one after it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "neardup/hamming_store.h"
#include "neardup/tools/index_folder.h"
#include "store/table_rows.h"

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

/// The properties of a clue index; fixed when it is created.
struct ClueStoreSpec {
  uint64_t recipe_id = 0;
  std::string recipe = {};  ///< its canonical JSON
  friend bool operator==(const ClueStoreSpec&, const ClueStoreSpec&) = default;
};

/// The properties of the tables of an online store (store/tables/); fixed when they are created.
struct TableStoreSpec {
  uint64_t recipe_id = 0;
  std::string recipe = {};     ///< its canonical JSON
  uint32_t bands = 0;          ///< 0: of fingerprints
  uint32_t rows_per_band = 0;  ///< lanes of a band
  uint32_t filter_bytes = 0;   ///< of a row of the signature filter
  friend bool operator==(const TableStoreSpec&, const TableStoreSpec&) = default;

  [[nodiscard]] RowLayout layout() const noexcept { return {LshPlan{bands, rows_per_band}, filter_bytes}; }
};

/// The properties of an index of any kind, in the order of IndexKind.
using StoreSpec = std::variant<HammingStoreSpec, ClueStoreSpec, TableStoreSpec>;

struct StoreManifest {
  StoreSpec spec;
  uint64_t next_id = 0;
  uint64_t clock = 0;
  uint64_t next_segment = 1;
  std::vector<ListedSegment> segments = {};
  std::vector<IdRemoval> removals = {};  ///< ascending by id, one each
  friend bool operator==(const StoreManifest&, const StoreManifest&) = default;

  [[nodiscard]] IndexKind kind() const noexcept { return static_cast<IndexKind>(spec.index()); }
  /// Throws Error{kInput} when it is missing, damaged or inconsistent.
  static StoreManifest read(const std::string& folder);
  /// Atomically. Throws Error{kOutput}.
  void write(const std::string& folder) const;
};

std::string manifest_path(const std::string& folder);

/// Throw Error{kUsage} that names the field, the bound and the value.
void check_spec(const HammingStoreSpec& spec);
void check_spec(const ClueStoreSpec& spec);
void check_spec(const TableStoreSpec& spec);

/// The spec of a manifest of this kind. Throw Error{kUsage} that names the folder and both kinds when it is of another.
const HammingStoreSpec& hamming_spec_of(const StoreManifest& manifest, const std::string& folder);
const ClueStoreSpec& clue_spec_of(const StoreManifest& manifest, const std::string& folder);
const TableStoreSpec& table_spec_of(const StoreManifest& manifest, const std::string& folder);

}  // namespace neardup
