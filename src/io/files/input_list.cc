#include "io/files/input_list.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "neardup/error.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLineEndings[] = {".jsonl", ".ndjson", ".json"};
constexpr std::string_view kTableEndings[] = {".parquet", ".csv", ".tsv"};  // in the order of InputFormat
constexpr std::string_view kTextEndings[] = {".txt", ".text", ".md"};
constexpr std::string_view kHtmlEndings[] = {".html", ".htm", ".xhtml"};
constexpr std::string_view kWarcEndings[] = {".warc", ".wet"};
constexpr std::string_view kStandardInput = "-";
constexpr size_t kMaxEndings = 8;  // of left-out files, in a warning
constexpr size_t kMaxLinks = 3;

// The files of a folder that a run does not read, by the endings of their names, for a warning or an error.
class LeftOut {
 public:
  // Names that begin with '.' or '_' are left by other programs, and do not count.
  void add_file(std::string_view path);
  // A pipe, a socket, a device.
  void add_special() { ++by_ending_[kSpecial]; }
  void add_dangling(std::string path) { dangling_.push_back(std::move(path)); }

  [[nodiscard]] uint64_t files() const noexcept;
  // "2 .parquet, 1 .rst", the most frequent first.
  [[nodiscard]] std::string endings() const;
  // The warning about the folder; empty: none. `taken`: the number of its files read under `format`.
  [[nodiscard]] std::string warning(std::string_view folder, uint64_t taken, InputFormat format) const;

 private:
  static constexpr const char* kSpecial = "special";
  [[nodiscard]] std::string advice(InputFormat format) const;

  std::map<std::string, uint64_t> by_ending_;
  std::vector<std::string> dangling_;
};

void LeftOut::add_file(std::string_view path) {
  const std::string name = fs::path(path).filename().native();
  if (name.starts_with('.') || name.starts_with('_')) return;
  const std::string_view plain = without_compression_suffix(name);
  const size_t dot = plain.rfind('.');
  ++by_ending_[dot == std::string_view::npos || dot == 0 ? "without an ending" : name.substr(dot)];
}

uint64_t LeftOut::files() const noexcept {
  uint64_t sum = 0;
  for (const auto& [ending, count] : by_ending_) sum += count;
  return sum;
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

// The format that reads the files left out. Users who named a format know what it reads, and no format reads pipes and devices.
std::string LeftOut::advice(InputFormat format) const {
  if (format != InputFormat::kAuto || by_ending_.empty() || (by_ending_.size() == 1 && by_ending_.contains(kSpecial))) return {};
  const bool tables = std::ranges::any_of(by_ending_, [](const auto& entry) { return table_kind_of(entry.first) != TableKind::kNone; });
  return fmt::format(" (--format text takes every file{})", tables ? "; --format parquet, csv or tsv takes tables" : "");
}

std::string LeftOut::warning(std::string_view folder, uint64_t taken, InputFormat format) const {
  std::string text;
  if (const uint64_t count = files(); count > 0) {
    text = fmt::format("'{}': {} of {} files left out: {}{}", folder, count, count + taken, endings(), advice(format));
  }
  if (dangling_.empty()) return text;
  text +=
      fmt::format("{}{} {} nowhere: ", text.empty() ? fmt::format("'{}': ", folder) : "; ",
                  dangling_.size() == 1 ? "1 link" : fmt::format("{} links", dangling_.size()), dangling_.size() == 1 ? "leads" : "lead");
  for (size_t i = 0; i < std::min(dangling_.size(), kMaxLinks); ++i) text += fmt::format("{}'{}'", i == 0 ? "" : ", ", dangling_[i]);
  return dangling_.size() > kMaxLinks ? text + ", ..." : text;
}

enum class Ending { kLines, kText, kHtml, kWarc, kOther };

Ending ending_of(std::string_view path) noexcept {
  const std::string_view name = without_compression_suffix(path);
  const auto ends_name = [name](std::string_view ending) { return name.ends_with(ending); };
  if (std::ranges::any_of(kLineEndings, ends_name)) return Ending::kLines;
  if (std::ranges::any_of(kTextEndings, ends_name)) return Ending::kText;
  if (std::ranges::any_of(kHtmlEndings, ends_name)) return Ending::kHtml;
  return std::ranges::any_of(kWarcEndings, ends_name) ? Ending::kWarc : Ending::kOther;
}

// The kind of a regular file by its name; nothing for an unknown ending.
std::optional<InputEntry::Kind> kind_of(Ending ending, InputFormat format) noexcept {
  using Kind = InputEntry::Kind;
  switch (format) {
    case InputFormat::kText:
      return Kind::kText;
    case InputFormat::kJsonl:
      return Kind::kLines;
    case InputFormat::kWarc:
      return Kind::kWarc;
    case InputFormat::kParquet:
    case InputFormat::kCsv:
    case InputFormat::kTsv:
      return Kind::kLines;  // tables have a source of their own, which lists its files by this
    case InputFormat::kAuto:
      break;
  }
  switch (ending) {
    case Ending::kLines:
      return Kind::kLines;
    case Ending::kText:
    case Ending::kHtml:
      return Kind::kText;
    case Ending::kWarc:
      return Kind::kWarc;
    case Ending::kOther:
      break;
  }
  return std::nullopt;
}

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorCode::kInput, message);
}

[[noreturn]] void fail_to_open(const std::string& path, int error) {
  fail("cannot open '" + path + "': " + std::strerror(error));
}

FileStamp stamp_of(const struct stat& status) {
  return {.device = static_cast<uint64_t>(status.st_dev),
          .inode = static_cast<uint64_t>(status.st_ino),
          .size = static_cast<uint64_t>(status.st_size),
          .modified_ns = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

// An archive may hold pages, unless it is WET: text extracted from them.
bool may_be_html(std::string_view path, InputEntry::Kind kind) noexcept {
  if (kind == InputEntry::Kind::kWarc) return !without_compression_suffix(path).ends_with(".wet");
  return kind == InputEntry::Kind::kText && ending_of(path) == Ending::kHtml;
}

InputEntry regular_file(const std::string& path, InputEntry::Kind kind, const struct stat& status) {
  return {.path = path, .kind = kind, .stamp = stamp_of(status), .html = may_be_html(path, kind)};
}

class InputLister {
 public:
  InputLister(InputFormat format, const std::function<void(const std::string&)>& warn) : format_(format), warn_(warn) {}

  void add(const std::string& input) {
    struct stat status {};
    if (input == kStandardInput) {
      if (format_ == InputFormat::kText) fail("standard input cannot be read as text files; it is JSON Lines");
      note(input, "-");
      add_stream(input);
    } else if (::stat(input.c_str(), &status) == 0) {
      add_existing(input, status);
    } else if (errno == ENOENT && input.find_first_of("*?[") != std::string::npos) {
      add_glob(input);
    } else {
      fail_to_open(input, errno);
    }
  }

  std::vector<InputEntry> take() { return std::move(entries_); }

 private:
  void add_existing(const std::string& input, const struct stat& status) {
    if (S_ISDIR(status.st_mode)) return add_directory(input);
    note(input, identity_of(input));
    add_file(input, status);
  }

  void add_file(const std::string& input, const struct stat& status) {
    if (!S_ISREG(status.st_mode)) {
      if (format_ == InputFormat::kText) fail("'" + input + "' is not a regular file and cannot be read as a text file");
      add_stream(input);
      return;
    }
    const InputEntry::Kind kind = kind_of(ending_of(input), format_).value_or(InputEntry::Kind::kLines);
    if (!is_sizeless(input, kind, status)) {
      entries_.push_back(regular_file(input, kind, status));
    } else {
      add_stream(input);
    }
  }

  // Files of /proc and the like have a size of 0 bytes. Their records can be read as a stream, like those of a pipe.
  static bool is_sizeless(const std::string& path, InputEntry::Kind kind, const struct stat& status) {
    if (status.st_size != 0) return false;
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return false;  // reading it reports the error
    char byte = 0;
    const bool content = ::read(descriptor, &byte, 1) == 1;
    ::close(descriptor);
    if (content && kind == InputEntry::Kind::kText) {
      fail("'" + path + "' has content but says that it has 0 bytes, and cannot be read as a text file; read a copy of it");
    }
    return content;
  }

  void add_stream(const std::string& input) { entries_.push_back(stream_of(input)); }

  [[nodiscard]] InputEntry stream_of(const std::string& input) const {
    const bool warc = format_ == InputFormat::kWarc || (format_ == InputFormat::kAuto && ending_of(input) == Ending::kWarc);
    return {.path = input, .kind = warc ? InputEntry::Kind::kWarc : InputEntry::Kind::kStream, .stamp = {}, .html = warc, .streamed = true};
  }

  void add_directory(const std::string& directory) {
    std::vector<InputEntry> found;
    LeftOut left_out;
    try {
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) look_at(entry.path().native(), found, left_out);
    } catch (const fs::filesystem_error& error) {
      fail("cannot read the folder '" + error.path1().native() + "': " + error.code().message());
    }
    if (found.empty()) fail_without_files(directory, left_out);
    const std::string warning = left_out.warning(directory, found.size(), format_);
    if (warn_ && !warning.empty()) warn_(warning);
    std::ranges::sort(found, {}, &InputEntry::path);
    const fs::path root(identity_of(directory));
    for (InputEntry& entry : found) {
      note(entry.path, root / fs::path(entry.path).lexically_relative(directory));
      entries_.push_back(std::move(entry));
    }
  }

  void look_at(const std::string& path, std::vector<InputEntry>& found, LeftOut& left_out) const {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
      const int error = errno;
      if (error != ENOENT && error != ELOOP) fail_to_open(path, error);
      left_out.add_dangling(path);
      return;
    }
    if (S_ISDIR(status.st_mode)) return;
    if (!S_ISREG(status.st_mode)) {
      left_out.add_special();
      return;
    }
    std::optional<InputEntry::Kind> kind = kind_of(ending_of(path), format_);
    if (format_ >= InputFormat::kParquet && !is_table(path)) kind = std::nullopt;
    if (!kind) {
      left_out.add_file(path);
    } else if (is_sizeless(path, *kind, status)) {
      found.push_back(stream_of(path));
    } else {
      found.push_back(regular_file(path, *kind, status));
    }
  }

  // Under a table format, its files count as lines here; names that begin with '.' or '_' are left by other programs.
  [[nodiscard]] bool is_table(const std::string& path) const {
    const std::string name = fs::path(path).filename().native();
    const std::string_view plain = format_ == InputFormat::kParquet ? name : without_compression_suffix(name);
    return plain.ends_with(table_ending()) && name[0] != '.' && name[0] != '_';
  }
  [[nodiscard]] std::string_view table_ending() const {
    return kTableEndings[static_cast<size_t>(format_) - static_cast<size_t>(InputFormat::kParquet)];
  }

  void add_glob(const std::string& pattern) {
    glob_t matches{};
    const int result = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &matches);
    std::vector<std::string> paths(matches.gl_pathv, matches.gl_pathv + (result == 0 ? matches.gl_pathc : 0));
    ::globfree(&matches);
    if (paths.empty()) fail("no file matches '" + pattern + "'");
    std::ranges::sort(paths);
    for (const std::string& path : paths) {
      struct stat status {};
      if (::stat(path.c_str(), &status) != 0) fail_to_open(path, errno);
      if (S_ISDIR(status.st_mode)) {
        add_directory(path);
        continue;
      }
      // As inside a directory, links are separate names: /usr/share/doc/*/copyright has many.
      note(path, fs::absolute(path).lexically_normal());
      add_file(path, status);
    }
  }

  [[noreturn]] void fail_without_files(const std::string& directory, const LeftOut& left_out) const {
    const std::string there = left_out.files() == 0 ? "no file" : fmt::format("of its files ({}) none", left_out.endings());
    if (format_ >= InputFormat::kParquet) fail(fmt::format("no input in '{}': {} ends in {}", directory, there, table_ending()));
    if (format_ != InputFormat::kAuto) fail("no file in '" + directory + "'");
    fail(
        fmt::format("no input in '{}': {} ends in {}, {}, {} or {} (also when followed by .gz, .zst or .bz2); "
                    "--format text takes every file as one document, --format parquet, csv or tsv takes the tables",
                    directory, there, fmt::join(kLineEndings, ", "), fmt::join(kTextEndings, ", "), fmt::join(kHtmlEndings, ", "),
                    fmt::join(kWarcEndings, ", ")));
  }

  // The path without links and dots.
  static std::string identity_of(const std::string& path) {
    std::error_code error;
    const fs::path canonical = fs::canonical(path, error);
    return error ? path : canonical.native();
  }

  // Read twice, every document would be a copy of itself.
  void note(const std::string& path, const fs::path& identity) {
    const auto [first, inserted] = names_.try_emplace(identity.native(), entries_.size());
    if (inserted) return;
    const std::string& before = entries_[first->second].path;
    throw Error(ErrorCode::kUsage,
                before == path ? "'" + path + "' is given twice" : "'" + path + "' is given twice, before as '" + before + "'");
  }

  const InputFormat format_;
  const std::function<void(const std::string&)>& warn_;
  std::vector<InputEntry> entries_;
  std::unordered_map<std::string, size_t> names_;  // identity -> index of the entry
};

}  // namespace

std::vector<InputEntry> list_inputs(const std::vector<std::string>& inputs, InputFormat format,
                                    const std::function<void(const std::string&)>& warn) {
  InputLister lister(format, warn);
  for (const std::string& input : inputs) lister.add(input);
  return lister.take();
}

}  // namespace neardup
