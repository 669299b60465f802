#include "store/store_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/atomic_file.h"
#include "base/open_file.h"
#include "neardup/error.h"
#include "store/segment_format.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBuildingFile = "BUILDING";
constexpr std::string_view kBuildingText = "neardup index, not finished\n";

// At most this many bytes of the file.
std::string begin_of(const std::string& path, size_t bytes) {
  const FileDescriptor file = open_file(path);
  std::string begin(bytes, '\0');
  const ssize_t got = ::pread(file.get(), begin.data(), begin.size(), 0);
  if (got < 0) throw Error(ErrorCode::kInput, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  begin.resize(static_cast<size_t>(got));
  return begin;
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

bool is_unused(const std::string& folder) {
  try {
    const StoreManifest manifest = StoreManifest::read(folder);
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

std::optional<uint64_t> segment_number(std::string_view name) {
  if (!is_segment(name)) return std::nullopt;
  uint64_t number = 0;
  std::from_chars(name.data() + name.find('-') + 1, name.data() + name.size(), number);
  if (segment_name(number) != name) return std::nullopt;
  return number;
}

void sweep_folder(const std::string& folder, const StoreManifest& manifest) {
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
