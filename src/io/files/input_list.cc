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
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/files/files_ahead.h"
#include "io/files/left_out.h"
#include "neardup/error.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandardInput = "-";

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

  [[nodiscard]] std::vector<InputEntry>& entries() noexcept { return entries_; }

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
    const InputEntry::Kind kind = kind_of_named(input, format_);
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
    const bool warc = format_ == InputFormat::kWarc || (format_ == InputFormat::kAuto && named_kind(input) == NamedKind::kWarc);
    return {.path = input, .kind = warc ? InputEntry::Kind::kWarc : InputEntry::Kind::kStream, .stamp = {}, .html = warc, .streamed = true};
  }

  void add_directory(const std::string& directory) {
    std::vector<InputEntry> found;
    LeftOut left_out;
    // Not a recursive iterator, because that does not name the folder that it cannot read.
    for (std::vector<std::string> folders{directory}; !folders.empty();) {
      const std::string folder = std::move(folders.back());
      folders.pop_back();
      try {
        look_at_all(folder, folders, found, left_out);
      } catch (const fs::filesystem_error& error) {
        fail("cannot read the folder '" + folder + "': " + error.code().message());
      }
    }
    left_out.sort();
    if (found.empty()) fail_without_files(directory, left_out);
    const std::string warning = left_out.warning(directory, format_);
    if (warn_ && !warning.empty()) warn_(warning);
    std::ranges::sort(found, {}, &InputEntry::path);
    const fs::path root(identity_of(directory));
    for (InputEntry& entry : found) {
      note(entry.path, root / fs::path(entry.path).lexically_relative(directory));
      entries_.push_back(std::move(entry));
    }
  }

  void look_at_all(const std::string& folder, std::vector<std::string>& folders, std::vector<InputEntry>& found, LeftOut& left_out) {
    constexpr uint64_t kFileHeadBytes = 16u << 10;
    std::vector<std::string> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) paths.push_back(entry.path().native());
    // Only of files whose names say nothing more than the size is read.
    UpcomingFiles upcoming(ahead_, paths.size(), [&](FilesAhead& ahead, size_t i) {
      ahead.want(paths[i], format_ == InputFormat::kAuto && named_kind(paths[i]) == NamedKind::kUnnamed ? kFileHeadBytes : 0);
    });
    for (size_t i = 0; i < paths.size(); ++i) {
      const FilesAhead::Timing timing = upcoming.reading(i);
      look_at(paths[i], folders, found, left_out);
    }
  }

  void look_at(const std::string& path, std::vector<std::string>& folders, std::vector<InputEntry>& found, LeftOut& left_out) const {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
      const int error = errno;
      if (error != ENOENT && error != ELOOP) fail_to_open(path, error);
      left_out.add_dangling(path);
      return;
    }
    if (S_ISDIR(status.st_mode)) {
      std::error_code error;
      fs::is_symlink(path, error) ? left_out.add_linked_folder(path) : folders.push_back(path);
      return;
    }
    if (!S_ISREG(status.st_mode)) {
      left_out.add_special(path);
      return;
    }
    const std::optional<FileKind> kind = kind_in_folder(path, stamp_of(status), format_);
    if (!kind) {
      left_out.add_file(path);
    } else if (*kind != FileKind::kTable && is_sizeless(path, *kind, status)) {
      found.push_back(stream_of(path));
    } else {
      found.push_back(regular_file(path, *kind, status));
    }
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
    const std::string links = left_out.links().empty() ? "" : "; " + left_out.links();
    const std::string has = fmt::format("no input in '{}': it has {}{}", directory, left_out.contents(), links);
    if (left_out.files() == 0) fail(has);
    if (format_ != InputFormat::kAuto) fail(fmt::format("{}, which the given --format does not read", has));
    fail(
        fmt::format("{}; names of inputs end in {}, {}, {}, {} or {} (all but .parquet also when followed by .gz, .zst or .bz2); "
                    "--format text takes every file as one document",
                    has, fmt::join(kLineEndings, ", "), fmt::join(kTextEndings, ", "), fmt::join(kHtmlEndings, ", "),
                    fmt::join(kWarcEndings, ", "), fmt::join(kTableEndings, ", ")));
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
  FilesAhead ahead_;
  std::vector<InputEntry> entries_;
  std::unordered_map<std::string, size_t> names_;  // identity -> index of the entry
};

}  // namespace

std::vector<InputEntry> list_inputs(const std::vector<std::string>& inputs, InputFormat format,
                                    const std::function<void(const std::string&)>& warn) {
  InputLister lister(format, warn);
  std::vector<InputEntry>& entries = lister.entries();
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const size_t before = entries.size();
    lister.add(inputs[i]);
    for (size_t at = before; at < entries.size(); ++at) entries[at].input = i;
  }
  return std::move(entries);
}

}  // namespace neardup
