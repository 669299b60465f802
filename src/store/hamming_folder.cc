#include "store/hamming_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/atomic_file.h"
#include "base/open_file.h"
#include "neardup/error.h"
#include "store/segment_file.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view kManifestKind = "manifest";
constexpr uint32_t kVersion = 1;
constexpr std::string_view kBuildingFile = "BUILDING";
constexpr std::string_view kBuildingText = "neardup index, not finished\n";

std::string manifest_path(const std::string& folder) {
  return folder + "/MANIFEST";
}

// At most this many bytes of the file.
std::string begin_of(const std::string& path, size_t bytes) {
  const FileDescriptor file = open_file(path);
  std::string begin(bytes, '\0');
  const ssize_t got = ::pread(file.get(), begin.data(), begin.size(), 0);
  if (got < 0) throw Error(ErrorCode::kInput, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  begin.resize(static_cast<size_t>(got));
  return begin;
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
  return name.ends_with(".partial") && (name.starts_with(".segment-") || name.starts_with(".MANIFEST.") || name.starts_with(".BUILDING."));
}

// By its contents: other programs may have a file of this name.
bool is_marked(const std::string& folder) {
  const std::string path = fmt::format("{}/{}", folder, kBuildingFile);
  return path_kind(path) == PathKind::kFile && begin_of(path, kBuildingText.size()) == kBuildingText;
}

// An unreadable folder decides nothing: opening the next file reports why.
bool has_segments(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (is_segment(at->path().filename().native())) return true;
  }
  return false;
}

// Other programs have a MANIFEST, too. Ours may be damaged: then the files next to it show what it is.
bool is_ours(const std::string& folder, PathKind manifest) {
  if (manifest == PathKind::kFile) {
    const std::string begin = begin_of(manifest_path(folder), segment::kMagic.size());
    if (begin == segment::kMagic) return true;
    if (segment::kMagic.starts_with(begin) && path_kind(folder + "/LOCK") == PathKind::kFile) return true;
  }
  return has_segments(folder);
}

// Reads the JSON and checks its values: correct hashes do not prove who wrote the file.
void from_json(std::string_view bytes, const std::string& path, HammingManifest& manifest) {
  boost::system::error_code error;
  const json::value value = json::parse(bytes, error);
  if (error || !value.is_object()) refuse(path, "the list of segments is not a JSON object");
  const json::object& object = value.as_object();
  if (const uint64_t version = number(object, "version", path); version != kVersion) {
    refuse(path, fmt::format("manifest version {}, this program reads version {}", version, kVersion));
  }
  const uint64_t radius = number(object, "radius", path);
  if (radius > manifest.spec.bits) refuse(path, fmt::format("a distance of {} for {} bits", radius, manifest.spec.bits));
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
      refuse(path, "the name of a segment is not valid");
    }
    if (segment.born > manifest.clock) refuse(path, fmt::format("'{}' is newer than the manifest", segment.file));
    manifest.segments.push_back(std::move(segment));
  }
}

}  // namespace

HammingStorePlace find_hamming_store(const std::string& path) {
  switch (path_kind(path)) {
    case PathKind::kMissing:
      return HammingStorePlace::kNothing;
    case PathKind::kFolder:
      break;
    default:
      return HammingStorePlace::kFile;
  }
  const PathKind manifest = path_kind(manifest_path(path));
  if (manifest == PathKind::kMissing) return is_marked(path) ? HammingStorePlace::kUnfinished : HammingStorePlace::kOtherFolder;
  return is_ours(path, manifest) ? HammingStorePlace::kStore : HammingStorePlace::kOtherFolder;
}

HammingManifest HammingManifest::read(const std::string& folder) {
  const std::string path = manifest_path(folder);
  if (path_kind(folder) != PathKind::kFolder || path_kind(path) == PathKind::kMissing) {
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
  const auto file = SegmentFile::open(path, kManifestKind, 0);
  file->verify_all(1);
  HammingManifest manifest;
  manifest.spec.bits = file->bits();
  manifest.spec.recipe_id = file->recipe_id();
  manifest.spec.recipe = file->recipe();
  if (manifest.spec.bits != 64 && manifest.spec.bits != 128) refuse(path, fmt::format("fingerprints of {} bits", manifest.spec.bits));
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
  file->check();
  return manifest;
}

void HammingManifest::write(const std::string& folder) const {
  SegmentWriter writer(manifest_path(folder),
                       {.kind = std::string(kManifestKind), .bits = spec.bits, .recipe_id = spec.recipe_id, .recipe = spec.recipe});
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
  require(spec.bits == 64 || spec.bits == 128, fmt::format("fingerprints of {} bits; expected 64 or 128", spec.bits));
  require(spec.radius <= spec.bits,
          fmt::format("a distance of {}; expected at most {}, the bits of a fingerprint", spec.radius, spec.bits));
  require(spec.recipe.size() <= segment::kMaxRecipe,
          fmt::format("a recipe of {} bytes; expected at most {}", spec.recipe.size(), segment::kMaxRecipe));
}

bool is_unused(const std::string& folder) {
  try {
    const HammingManifest manifest = HammingManifest::read(folder);
    return manifest.segments.empty() && manifest.next_id == 0;
  } catch (const Error&) {  // damaged: unknown
    return false;
  }
}

void require_free(const std::string& folder) {
  const bool taken_over = path_kind(manifest_path(folder)) != PathKind::kMissing;
  if (taken_over && !is_unused(folder)) throw Error(ErrorCode::kOutput, fmt::format("'{}' is an index already", folder));
  const bool marked = is_marked(folder);
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().native();
    // Without a manifest or the mark, segments may be the remains of an index.
    if (name == "LOCK" || is_partial(name) || (taken_over && name == "MANIFEST") || (marked && name == kBuildingFile)) continue;
    if ((taken_over || marked) && is_segment(name)) continue;
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
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().native();
    if (is_partial(name) || (is_segment(name) && !listed.contains(name))) unlisted.push_back(at->path());
  }
  for (const fs::path& path : unlisted) fs::remove(path, error);
}

void mark_folder(const std::string& folder) {
  AtomicFile mark(fmt::format("{}/{}", folder, kBuildingFile));
  mark.append(kBuildingText);
  mark.commit();
}

void unmark_folder(const std::string& folder) {
  if (is_marked(folder)) ::unlink(fmt::format("{}/{}", folder, kBuildingFile).c_str());
}

}  // namespace neardup
