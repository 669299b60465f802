#include "store/store_manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstring>
#include <string_view>

#include "base/limits.h"
#include "base/open_file.h"
#include "neardup/error.h"
#include "neardup/tools/printable.h"
#include "store/segment_file.h"
#include "store/segment_writer.h"
#include "store/store_folder.h"

namespace neardup {
namespace {

namespace json = boost::json;

constexpr std::string_view kManifestKind = "manifest";
constexpr uint32_t kVersion = 1;

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::kInput, fmt::format("'{}': {}", path, what));
}

uint64_t number(const json::object& object, std::string_view key, const std::string& path) {
  const json::value* value = object.if_contains(key);
  if (value != nullptr && value->is_uint64()) return value->as_uint64();
  if (value != nullptr && value->is_int64() && value->as_int64() >= 0) return static_cast<uint64_t>(value->as_int64());
  refuse(path, fmt::format("'{}' is not a number", key));
}

bool flag(const json::object& object, std::string_view key, const std::string& path) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_bool()) refuse(path, fmt::format("'{}' is not true or false", key));
  return value->as_bool();
}

std::string text(const json::object& object, std::string_view key, const std::string& path) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) refuse(path, fmt::format("'{}' is not a string", key));
  return std::string(value->as_string());
}

// What each kind adds: fields of the header of the file, and of the JSON before the fields that all have.

SegmentInfo header_of(const HammingStoreSpec& spec) {
  return {.kind = std::string(kManifestKind), .bits = spec.bits, .recipe_id = spec.recipe_id, .recipe = spec.recipe};
}
SegmentInfo header_of(const ClueStoreSpec& spec) {
  return {.kind = std::string(kManifestKind), .recipe_id = spec.recipe_id, .recipe = spec.recipe};
}

SegmentInfo header_of(const TableStoreSpec& spec) {
  return {.kind = std::string(kManifestKind), .recipe_id = spec.recipe_id, .recipe = spec.recipe};
}

// A manifest without a kind is one of fingerprints, which had none before there were others.
void add_settings(const HammingStoreSpec& spec, json::object& object) {
  object.emplace("radius", spec.radius);
  object.emplace("names", spec.names);
}
void add_settings(const ClueStoreSpec&, json::object& object) {
  object.emplace("kind", index_kind_name(IndexKind::kClue));
}

void add_settings(const TableStoreSpec& spec, json::object& object) {
  object.emplace("kind", index_kind_name(IndexKind::kTables));
  object.emplace("bands", spec.bands);
  object.emplace("rows_per_band", spec.rows_per_band);
  object.emplace("filter_bytes", spec.filter_bytes);
}

uint32_t number_up_to(const json::object& object, std::string_view key, uint32_t most, const std::string& path) {
  const uint64_t value = number(object, key, path);
  if (value > most) refuse(path, fmt::format("'{}' is {}; expected at most {}", key, value, most));
  return static_cast<uint32_t>(value);
}

TableStoreSpec read_table_spec(const SegmentFile& file, const json::object& object, const std::string& path) {
  return {.recipe_id = file.recipe_id(),
          .recipe = std::string(file.recipe()),
          .bands = number_up_to(object, "bands", limits::kMaxLanes, path),
          .rows_per_band = number_up_to(object, "rows_per_band", limits::kMaxLanes, path),
          .filter_bytes = number_up_to(object, "filter_bytes", limits::kMaxLanes, path)};
}

StoreSpec read_spec(const SegmentFile& file, const json::object& object, const std::string& path) {
  if (object.contains("kind")) {
    const std::string kind = text(object, "kind", path);
    const bool tables = kind == index_kind_name(IndexKind::kTables);
    if (!tables && kind != index_kind_name(IndexKind::kClue)) {
      refuse(path, fmt::format("an index of the kind '{}', which this program does not know", kind));
    }
    if (file.bits() != 0)
      refuse(path, fmt::format("fingerprints of {} bits in {}", file.bits(), tables ? "the tables of a store" : "a clue index"));
    if (tables) return read_table_spec(file, object, path);
    return ClueStoreSpec{.recipe_id = file.recipe_id(), .recipe = std::string(file.recipe())};
  }
  HammingStoreSpec spec{.bits = file.bits(), .recipe_id = file.recipe_id(), .recipe = std::string(file.recipe())};
  if (spec.bits != 64 && spec.bits != 128) refuse(path, fmt::format("fingerprints of {} bits", spec.bits));
  const uint64_t radius = number(object, "radius", path);
  if (radius > spec.bits) refuse(path, fmt::format("a distance of {} for {} bits", radius, spec.bits));
  spec.radius = static_cast<uint32_t>(radius);
  spec.names = flag(object, "names", path);
  return spec;
}

std::string to_json(const StoreManifest& manifest) {
  json::array segments;
  for (const ListedSegment& segment : manifest.segments) {
    segments.push_back({{"file", segment.file}, {"sum", segment.sum}, {"born", segment.born}, {"entries", segment.entries}});
  }
  json::object object{{"version", kVersion}};
  std::visit([&](const auto& spec) { add_settings(spec, object); }, manifest.spec);
  object.emplace("next_id", manifest.next_id);
  object.emplace("clock", manifest.clock);
  object.emplace("next_segment", manifest.next_segment);
  object.emplace("segments", std::move(segments));
  return json::serialize(object);
}

// Reads the JSON and checks its values: correct hashes do not prove who wrote the file.
void from_json(const SegmentFile& file, const std::string& path, StoreManifest& manifest) {
  boost::system::error_code error;
  const json::value value = json::parse(file.payload(), error);
  if (error || !value.is_object()) refuse(path, "the list of segments is not a JSON object");
  const json::object& object = value.as_object();
  if (const uint64_t version = number(object, "version", path); version != kVersion) {
    refuse(path, fmt::format("manifest version {}, this program reads version {}", version, kVersion));
  }
  manifest.spec = read_spec(file, object, path);
  manifest.next_id = number(object, "next_id", path);
  manifest.clock = number(object, "clock", path);
  manifest.next_segment = number(object, "next_segment", path);
  const json::value* segments = object.if_contains("segments");
  if (segments == nullptr || !segments->is_array()) refuse(path, "'segments' is not a list");
  for (const json::value& entry : segments->as_array()) {
    if (!entry.is_object()) refuse(path, "a segment is not a JSON object");
    const json::object& of = entry.as_object();
    ListedSegment segment{text(of, "file", path), number(of, "sum", path), number(of, "born", path), number(of, "entries", path)};
    // A name in this folder, and none that a new segment will get.
    if (const auto own = segment_number(segment.file); !own || *own >= manifest.next_segment) {
      refuse(path, fmt::format("the name of a segment is not valid: '{}'; expected segment-N.ndh with N below {}", printable(segment.file),
                               manifest.next_segment));
    }
    if (std::ranges::find(manifest.segments, segment.file, &ListedSegment::file) != manifest.segments.end()) {
      refuse(path, fmt::format("'{}' is listed twice", segment.file));
    }
    if (segment.born > manifest.clock) refuse(path, fmt::format("'{}' is newer than the manifest", segment.file));
    manifest.segments.push_back(std::move(segment));
  }
}

void read_removals(std::string_view bytes, const std::string& path, StoreManifest& manifest) {
  if (bytes.size() % sizeof(IdRemoval) != 0) refuse(path, "the list of removals is cut off");
  manifest.removals.resize(bytes.size() / sizeof(IdRemoval));
  if (!bytes.empty()) std::memcpy(manifest.removals.data(), bytes.data(), bytes.size());
  for (size_t i = 0; i < manifest.removals.size(); ++i) {
    if (manifest.removals[i].time > manifest.clock || (i > 0 && manifest.removals[i - 1].id >= manifest.removals[i].id)) {
      refuse(path, fmt::format("removal {} is out of order", i));
    }
  }
}

[[noreturn]] void refuse_folder(const std::string& folder) {
  const auto why = [&] {
    switch (find_hamming_store(folder)) {
      case HammingStorePlace::kNothing:
        return "it does not exist";
      case HammingStorePlace::kFile:
        return "it is a file";
      case HammingStorePlace::kUnfinished:
        return "its build is still running, or was killed: then build it again";
      default:
        return "it has no MANIFEST";
    }
  };
  throw Error(ErrorCode::kInput, fmt::format("'{}' is not an index: {}", folder, why()));
}

void require_usage(bool holds, const std::string& what) {
  if (!holds) throw Error(ErrorCode::kUsage, "index: " + what);
}

void check_recipe(const std::string& recipe) {
  require_usage(recipe.size() <= segment::kMaxRecipe,
                fmt::format("a recipe of {} bytes; expected at most {}", recipe.size(), segment::kMaxRecipe));
}

// For messages: what users see of a kind.
std::string_view described(IndexKind kind) {
  switch (kind) {
    case IndexKind::kClue:
      return "a clue index, which holds texts";
    case IndexKind::kTables:
      return "a part of an online store";
    case IndexKind::kHamming:
      break;
  }
  return "a Hamming index, which holds fingerprints";
}

template <typename Spec>
const Spec& spec_of(const StoreManifest& manifest, const std::string& folder, IndexKind expected) {
  if (const Spec* spec = std::get_if<Spec>(&manifest.spec)) return *spec;
  throw Error(ErrorCode::kUsage, fmt::format("'{}' is {}; expected {}", folder, described(manifest.kind()), described(expected)));
}

}  // namespace

std::string_view index_kind_name(IndexKind kind) noexcept {
  switch (kind) {
    case IndexKind::kClue:
      return "clue";
    case IndexKind::kTables:
      return "tables";
    case IndexKind::kHamming:
      break;
  }
  return "hamming";
}

IndexKind index_kind(const std::string& folder) {
  return StoreManifest::read(folder).kind();
}

std::string manifest_path(const std::string& folder) {
  return folder + "/MANIFEST";
}

StoreManifest StoreManifest::read(const std::string& folder) {
  const std::string path = manifest_path(folder);
  if (path_kind(folder) != PathKind::kFolder || path_kind(path) == PathKind::kMissing) refuse_folder(folder);
  const auto file = SegmentFile::open(path, kManifestKind, 0);
  file->verify_all(1);
  StoreManifest manifest;
  from_json(*file, path, manifest);
  read_removals(file->names(), path, manifest);
  file->check();
  return manifest;
}

void StoreManifest::write(const std::string& folder) const {
  SegmentWriter writer(manifest_path(folder), std::visit([](const auto& of) { return header_of(of); }, spec));
  writer.append(to_json(*this));
  writer.begin_names();
  writer.append({reinterpret_cast<const char*>(removals.data()), removals.size() * sizeof(IdRemoval)});
  writer.set_entries(segments.size());
  writer.commit();
}

void check_spec(const HammingStoreSpec& spec) {
  require_usage(spec.bits == 64 || spec.bits == 128, fmt::format("fingerprints of {} bits; expected 64 or 128", spec.bits));
  require_usage(spec.radius <= spec.bits,
                fmt::format("a distance of {}; expected at most {}, the bits of a fingerprint", spec.radius, spec.bits));
  check_recipe(spec.recipe);
}

void check_spec(const ClueStoreSpec& spec) {
  check_recipe(spec.recipe);
}

void check_spec(const TableStoreSpec& spec) {
  check_recipe(spec.recipe);
}

const HammingStoreSpec& hamming_spec_of(const StoreManifest& manifest, const std::string& folder) {
  return spec_of<HammingStoreSpec>(manifest, folder, IndexKind::kHamming);
}

const ClueStoreSpec& clue_spec_of(const StoreManifest& manifest, const std::string& folder) {
  return spec_of<ClueStoreSpec>(manifest, folder, IndexKind::kClue);
}

const TableStoreSpec& table_spec_of(const StoreManifest& manifest, const std::string& folder) {
  return spec_of<TableStoreSpec>(manifest, folder, IndexKind::kTables);
}

}  // namespace neardup
