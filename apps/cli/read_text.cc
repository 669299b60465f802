#include "cli/read_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "neardup/error.h"

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

}  // namespace neardup::cli
