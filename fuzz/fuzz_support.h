// What the fuzz targets share: a requirement that ends the process, a folder that is removed with the process, and inputs cut into fields.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <source_location>
#include <string>
#include <string_view>

#include "neardup/error.h"

namespace neardup::fuzz {

/// Ends the process, which libFuzzer and the replay both report, unless `holds`; says first which requirement it was.
inline void require(bool holds, std::source_location where = std::source_location::current()) {
  if (holds) return;
  (void)std::fprintf(stderr, "%s:%u: this requirement does not hold\n", where.file_name(), static_cast<unsigned>(where.line()));
  std::abort();
}

/// An error is one line, so that it fits into a log.
inline void require_one_line(const Error& error) {
  const std::string_view message = error.what();
  const bool one_line = message.find('\n') == std::string_view::npos;
  if (!one_line) (void)std::fprintf(stderr, "an error of several lines: %s\n", error.what());
  require(one_line);
}

/// An empty folder below the folder of temporary files; removed with all that is in it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "neardup-fuzz.XXXXXX").native();
    require(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const char* name, std::string_view bytes) const { std::ofstream(path_ / name, std::ios::binary) << bytes; }
  [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).native(); }
  [[nodiscard]] std::string path() const { return path_.native(); }

 private:
  std::filesystem::path path_;
};

/// Takes fields off the front of an input; where it has ended they are zero or empty.
class Fields {
 public:
  explicit Fields(std::string_view input) : rest_(input) {}

  uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto first = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  uint64_t number() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | byte();
    return value;
  }
  /// Up to the next `end`, which is taken too.
  std::string_view until(char end) {
    const size_t at = rest_.find(end);
    const std::string_view part = rest_.substr(0, at);
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at + 1);
    return part;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace neardup::fuzz
