#include "io/input_list.h"

#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "io/compression.h"
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

enum class Ending { kLines, kText, kHtml, kWarc, kOther };

Ending ending_of(std::string_view path) noexcept {
  const std::string_view name = without_compression_suffix(path);
  const auto ends_name = [name](std::string_view ending) { return name.ends_with(ending); };
  if (std::ranges::any_of(kLineEndings, ends_name)) return Ending::kLines;
  if (std::ranges::any_of(kTextEndings, ends_name)) return Ending::kText;
  if (std::ranges::any_of(kHtmlEndings, ends_name)) return Ending::kHtml;
  return std::ranges::any_of(kWarcEndings, ends_name) ? Ending::kWarc : Ending::kOther;
}

// What a regular file is read as. A name that says nothing: nothing.
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

// An archive may hold pages, unless it is WET: text that somebody made of them.
bool may_be_html(std::string_view path, InputEntry::Kind kind) noexcept {
  if (kind == InputEntry::Kind::kWarc) return !without_compression_suffix(path).ends_with(".wet");
  return kind == InputEntry::Kind::kText && ending_of(path) == Ending::kHtml;
}

InputEntry regular_file(const std::string& path, InputEntry::Kind kind, const struct stat& status) {
  return {.path = path, .kind = kind, .stamp = stamp_of(status), .html = may_be_html(path, kind)};
}

class InputLister {
 public:
  explicit InputLister(InputFormat format) : format_(format) {}

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
    entries_.push_back(regular_file(input, kind_of(ending_of(input), format_).value_or(InputEntry::Kind::kLines), status));
  }

  void add_stream(const std::string& input) {
    const bool warc = format_ == InputFormat::kWarc || (format_ == InputFormat::kAuto && ending_of(input) == Ending::kWarc);
    entries_.push_back(
        {.path = input, .kind = warc ? InputEntry::Kind::kWarc : InputEntry::Kind::kStream, .stamp = {}, .html = warc, .streamed = true});
  }

  void add_directory(const std::string& directory) {
    std::vector<InputEntry> found;
    uint64_t looked_at = 0;
    try {
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
        struct stat status {};
        if (::stat(entry.path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;  // dangling links, folders, sockets
        ++looked_at;
        if (format_ >= InputFormat::kParquet) {
          if (is_table(entry.path().native())) found.push_back(regular_file(entry.path().native(), InputEntry::Kind::kLines, status));
          continue;
        }
        const auto kind = kind_of(ending_of(entry.path().native()), format_);
        if (kind) found.push_back(regular_file(entry.path().native(), *kind, status));
      }
    } catch (const fs::filesystem_error& error) {
      fail("cannot read the folder '" + error.path1().native() + "': " + error.code().message());
    }
    if (found.empty()) fail_without_files(directory, looked_at);
    std::ranges::sort(found, {}, &InputEntry::path);
    const fs::path root(identity_of(directory));
    for (InputEntry& entry : found) {
      note(entry.path, root / fs::path(entry.path).lexically_relative(directory));
      entries_.push_back(std::move(entry));
    }
  }

  // Under a format of tables, what counts as lines here is its files; names that begin with '.' or '_' are what others left there.
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
      // As inside a directory, links are names of their own: /usr/share/doc/*/copyright has many.
      note(path, fs::absolute(path).lexically_normal());
      add_file(path, status);
    }
  }

  [[noreturn]] void fail_without_files(const std::string& directory, uint64_t looked_at) const {
    if (format_ >= InputFormat::kParquet) {
      fail(fmt::format("no input in '{}': of {} files, none ends in {}", directory, looked_at, table_ending()));
    }
    if (format_ != InputFormat::kAuto) fail("no file in '" + directory + "'");
    fail(
        fmt::format("no input in '{}': of {} files, none ends in {}, {}, {} or {} (also with .gz, .zst or .bz2 behind); "
                    "--format text takes every file as one document, --format parquet, csv or tsv takes the tables",
                    directory, looked_at, fmt::join(kLineEndings, ", "), fmt::join(kTextEndings, ", "), fmt::join(kHtmlEndings, ", "),
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
    fail(before == path ? "'" + path + "' is given twice" : "'" + path + "' is given twice, before as '" + before + "'");
  }

  const InputFormat format_;
  std::vector<InputEntry> entries_;
  std::unordered_map<std::string, size_t> names_;  // identity -> index of the entry
};

}  // namespace

std::vector<InputEntry> list_inputs(const std::vector<std::string>& inputs, InputFormat format) {
  InputLister lister(format);
  for (const std::string& input : inputs) lister.add(input);
  return lister.take();
}

}  // namespace neardup
