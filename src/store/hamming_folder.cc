#include "store/hamming_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstring>
#include <filesystem>
#include <set>

#include "neardup/error.h"
#include "store/segment_file.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view kKind = "manifest";
constexpr uint32_t kVersion = 1;

std::string manifest_path(const std::string& folder) {
  return folder + "/MANIFEST";
}

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

std::string to_json(const HammingManifest& manifest) {
  json::array segments;
  for (const ListedSegment& segment : manifest.segments) {
    segments.push_back({{"file", segment.file}, {"sum", segment.sum}, {"born", segment.born}, {"entries", segment.entries}});
  }
  return json::serialize(json::object{{"version", kVersion},
                                      {"radius", manifest.spec.radius},
                                      {"names", manifest.spec.names},
                                      {"next_id", manifest.next_id},
                                      {"clock", manifest.clock},
                                      {"next_segment", manifest.next_segment},
                                      {"segments", std::move(segments)}});
}

bool is_segment(std::string_view name) {
  return name.starts_with("segment-") && name.ends_with(".ndh");
}

bool is_partial(std::string_view name) {
  return name.ends_with(".partial") && (name.starts_with(".segment-") || name.starts_with(".MANIFEST."));
}

// What the JSON says, and that it can be. A file whose hashes are right may have been written by anyone.
void from_json(std::string_view bytes, const std::string& path, HammingManifest& manifest) {
  boost::system::error_code error;
  const json::value value = json::parse(bytes, error);
  if (error || !value.is_object()) refuse(path, "the list of segments is no JSON object");
  const json::object& object = value.as_object();
  if (const uint64_t version = number(object, "version", path); version != kVersion) {
    refuse(path, fmt::format("manifest version {}, this program reads version {}", version, kVersion));
  }
  const uint64_t radius = number(object, "radius", path);
  if (radius > manifest.spec.bits) refuse(path, fmt::format("a radius of {} for {} bits", radius, manifest.spec.bits));
  manifest.spec.radius = static_cast<uint32_t>(radius);
  manifest.spec.names = flag(object, "names", path);
  manifest.next_id = number(object, "next_id", path);
  manifest.clock = number(object, "clock", path);
  manifest.next_segment = number(object, "next_segment", path);
  const json::value* segments = object.if_contains("segments");
  if (segments == nullptr || !segments->is_array()) refuse(path, "'segments' is not a list");
  for (const json::value& entry : segments->as_array()) {
    if (!entry.is_object()) refuse(path, "a segment is not a JSON object");
    const json::object& of = entry.as_object();
    ListedSegment segment{text(of, "file", path), number(of, "sum", path), number(of, "born", path), number(of, "entries", path)};
    // A name in this folder and nothing else.
    if (segment.file.empty() || segment.file.find('/') != std::string::npos || segment.file.find('\0') != std::string::npos) {
      refuse(path, "the name of a segment is none");
    }
    if (segment.born > manifest.clock) refuse(path, fmt::format("'{}' is of the future", segment.file));
    manifest.segments.push_back(std::move(segment));
  }
}

}  // namespace

HammingManifest HammingManifest::read(const std::string& folder) {
  const std::string path = manifest_path(folder);
  std::error_code error;
  if (!fs::exists(path, error)) {
    if (error) throw Error(ErrorCode::kInput, fmt::format("cannot read the index '{}': {}", folder, error.message()));
    throw Error(ErrorCode::kInput,
                fmt::format("'{}' is no index: {}", folder, fs::exists(folder, error) ? "it has no MANIFEST" : "it does not exist"));
  }
  const auto file = SegmentFile::open(path, kKind, 0);
  file->verify_all(1);
  HammingManifest manifest;
  manifest.spec.bits = file->bits();
  manifest.spec.recipe_id = file->recipe_id();
  manifest.spec.recipe = file->recipe();
  if (manifest.spec.bits != 64 && manifest.spec.bits != 128) refuse(path, fmt::format("codes of {} bits", manifest.spec.bits));
  from_json(file->payload(), path, manifest);
  const std::string_view removals = file->names();
  if (removals.size() % sizeof(IdRemoval) != 0) refuse(path, "the list of removals is cut off");
  manifest.removals.resize(removals.size() / sizeof(IdRemoval));
  if (!removals.empty()) std::memcpy(manifest.removals.data(), removals.data(), removals.size());
  for (size_t i = 0; i < manifest.removals.size(); ++i) {
    if (manifest.removals[i].time > manifest.clock || (i > 0 && manifest.removals[i - 1].id >= manifest.removals[i].id)) {
      refuse(path, fmt::format("removal {} is out of order", i));
    }
  }
  return manifest;
}

void HammingManifest::write(const std::string& folder) const {
  SegmentWriter writer(manifest_path(folder),
                       {.kind = std::string(kKind), .bits = spec.bits, .recipe_id = spec.recipe_id, .recipe = spec.recipe});
  writer.append(to_json(*this));
  writer.begin_names();
  writer.append({reinterpret_cast<const char*>(removals.data()), removals.size() * sizeof(IdRemoval)});
  writer.set_entries(segments.size());
  writer.commit();
}

void check_spec(const HammingStoreSpec& spec) {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw Error(ErrorCode::kUsage, "index: " + what);
  };
  require(spec.bits == 64 || spec.bits == 128, fmt::format("codes of {} bits; expected 64 or 128", spec.bits));
  require(spec.radius <= spec.bits, fmt::format("a radius of {}; expected at most {}, the bits of a code", spec.radius, spec.bits));
  require(spec.recipe.size() <= segment::kMaxRecipe,
          fmt::format("a recipe of {} bytes; expected at most {}", spec.recipe.size(), segment::kMaxRecipe));
}

bool is_unused(const std::string& folder) {
  try {
    const HammingManifest manifest = HammingManifest::read(folder);
    return manifest.segments.empty() && manifest.next_id == 0;
  } catch (const Error&) {  // damaged: nobody knows
    return false;
  }
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(ErrorCode::kOutput, fmt::format("cannot make the folder '{}': {}", folder, error.message()));
  const bool taken_over = fs::exists(manifest_path(folder), error);
  if (error) throw Error(ErrorCode::kOutput, fmt::format("cannot read the folder '{}': {}", folder, error.message()));
  if (taken_over && !is_unused(folder)) throw Error(ErrorCode::kOutput, fmt::format("'{}' is an index already", folder));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().native();
    // Without a manifest, segments may be all that is left of somebody's index.
    if (name == "LOCK" || is_partial(name) || (taken_over && (name == "MANIFEST" || is_segment(name)))) continue;
    throw Error(ErrorCode::kOutput, fmt::format("'{}' holds other files ('{}'); an index needs a folder of its own", folder, name));
  }
  if (error) throw Error(ErrorCode::kOutput, fmt::format("cannot read the folder '{}': {}", folder, error.message()));
}

std::string segment_name(uint64_t number) {
  return fmt::format("segment-{:06}.ndh", number);
}

void sweep_folder(const std::string& folder, const HammingManifest& manifest) {
  std::set<std::string> listed;
  for (const ListedSegment& segment : manifest.segments) listed.insert(segment.file);
  std::error_code error;
  std::vector<fs::path> unlisted;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().native();
    if (is_partial(name) || (is_segment(name) && !listed.contains(name))) unlisted.push_back(entry.path());
  }
  for (const fs::path& path : unlisted) fs::remove(path, error);
}

}  // namespace neardup
