#include "io/files/left_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/bytes/compression.h"
#include "io/files/file_kind.h"
#include "neardup/tools/readable.h"

namespace neardup {
namespace {

constexpr size_t kMaxEndings = 8;
constexpr size_t kMaxPaths = 3;  // more are not named one by one
constexpr const char* kSpecial = "special";

std::string quoted_paths(const std::vector<std::string>& paths) {
  std::string text;
  for (size_t i = 0; i < std::min(paths.size(), kMaxPaths); ++i) text += fmt::format("{}'{}'", i == 0 ? "" : ", ", paths[i]);
  return paths.size() > kMaxPaths ? text + ", ..." : text;
}

}  // namespace

void LeftOut::add_file(const std::string& path) {
  if (is_side_file(path)) {
    has_side_files_ = true;
    return;
  }
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  const size_t dot = without_compression_suffix(name).rfind('.');
  count(dot == std::string_view::npos ? "without an ending" : std::string(name.substr(dot)), path);
}

void LeftOut::add_special(const std::string& path) {
  count(kSpecial, path);
}

void LeftOut::count(const std::string& ending, const std::string& path) {
  ++by_ending_[ending];
  ++files_;
  if (files_ <= kMaxPaths) examples_.push_back(path);
}

void LeftOut::sort() {
  std::ranges::sort(examples_);
  std::ranges::sort(dangling_);
  std::ranges::sort(linked_folders_);
}

std::string LeftOut::contents() const {
  if (files_ > 0) return fmt::format("only {}", endings());
  return has_side_files_ ? "only files whose names begin with '.' or '_'" : "no files";
}

std::string LeftOut::endings() const {
  std::vector<std::pair<std::string, uint64_t>> sorted(by_ending_.begin(), by_ending_.end());
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (size_t i = 0; i < std::min(sorted.size(), kMaxEndings); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", sorted[i].second, sorted[i].first);
  }
  return sorted.size() > kMaxEndings ? text + ", ..." : text;
}

std::string LeftOut::links() const {
  std::string text;
  if (!dangling_.empty()) {
    text = fmt::format("{}: {}", counted(dangling_.size(), "link leads nowhere", "links lead nowhere"), quoted_paths(dangling_));
  }
  if (linked_folders_.empty()) return text;
  return fmt::format("{}{}{}: {}", text, text.empty() ? "" : "; ",
                     counted(linked_folders_.size(), "link to a folder is not followed", "links to folders are not followed"),
                     quoted_paths(linked_folders_));
}

// The format that reads the files left out. Users who named a format know what it reads, and no format reads pipes and devices.
std::string LeftOut::advice(InputFormat format) const {
  if (format != InputFormat::kAuto || (by_ending_.size() == 1 && by_ending_.contains(kSpecial))) return {};
  return "; --format text takes every file as one document";
}

std::string LeftOut::warning(std::string_view folder, InputFormat format) const {
  std::string text;
  if (files_ > 0) {
    text = fmt::format("left out {} of '{}': {}", counted(files_, "file"), folder, endings());
    // A few are named, so that users need not look for them.
    if (files_ <= kMaxPaths) text += fmt::format(" ({})", quoted_paths(examples_));
    text += advice(format);
  }
  const std::string linked = links();
  if (linked.empty()) return text;
  return text.empty() ? fmt::format("'{}': {}", folder, linked) : fmt::format("{}; {}", text, linked);
}

}  // namespace neardup
