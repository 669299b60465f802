#include "cli/read_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cli/terminal/reporter.h"
#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup::cli {
namespace {

constexpr size_t kMaxBytes = size_t{1} << 30;

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

}  // namespace

std::string read_text(const std::string& path) {
  const std::unique_ptr<std::FILE, Close> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (!file) throw Error(ErrorCode::kInput, fmt::format("cannot open '{}': {}", path, std::strerror(errno)));
  std::string text;
  std::string piece(1 << 16, '\0');
  while (const size_t got = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece, 0, got);
    if (text.size() > kMaxBytes)
      throw Error(ErrorCode::kInput, fmt::format("'{}' has more than the {} bytes that a text may have", path, kMaxBytes));
  }
  if (std::ferror(file.get()) != 0) throw Error(ErrorCode::kInput, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  return text;
}

std::string read_utf8(const std::string& path, const std::string& charset, Reporter& reporter) {
  uint64_t malformed = 0;
  std::string text = to_utf8(read_text(path), charset, &malformed);
  if (malformed > 0) {
    reporter.warning(
        fmt::format("{}: bytes that are not of the expected charset, read as U+FFFD; try --charset auto, which detects the charset",
                    path == "-" ? "standard input" : path));
  }
  return text;
}

}  // namespace neardup::cli
