#include "io/files/text_lines.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"
#include "io/files/content.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kBufferBytes = 1u << 16;

// A descriptor that is read once. Its first bytes can be examined before: rewind() goes back over them, and only over them.
class OnceStream final : public ByteStream {
 public:
  OnceStream(const std::string& path, std::string name)
      : name_(std::move(name)),
        descriptor_(path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw Error(ErrorCode::kInput, fmt::format("cannot open {}: {}", name_, std::strerror(errno)));
  }
  ~OnceStream() override { ::close(descriptor_); }
  OnceStream(const OnceStream&) = delete;
  OnceStream& operator=(const OnceStream&) = delete;

  std::string_view head() {
    while (head_.size() < kSniffBytes) {
      char piece[kSniffBytes];
      const size_t got = read_once(piece, kSniffBytes - head_.size());
      if (got == 0) break;
      head_.append(piece, got);
    }
    return head_;
  }
  size_t read(char* to, size_t bytes) override {
    if (at_ == head_.size()) return read_once(to, bytes);
    const size_t got = head_.copy(to, bytes, at_);
    at_ += got;
    return got;
  }
  void rewind() override { at_ = 0; }

 private:
  size_t read_once(char* to, size_t bytes) const {
    for (;;) {
      wait_for_input(descriptor_);
      const ssize_t got = ::read(descriptor_, to, bytes);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR) throw Error(ErrorCode::kInput, fmt::format("cannot read {}: {}", name_, std::strerror(errno)));
    }
  }

  const std::string name_;
  const int descriptor_;
  std::string head_;
  size_t at_ = 0;
};

}  // namespace

TextLines::TextLines(const std::string& path, size_t max_line_bytes)
    : name_(path == "-" ? "standard input" : path), max_line_bytes_(max_line_bytes), buffer_(kBufferBytes, '\0') {
  auto stream = std::make_unique<OnceStream>(path, path == "-" ? name_ : fmt::format("'{}'", path));
  const std::string_view head = stream->head();
  const ForeignFormat foreign = foreign_format(head);
  if (!foreign.name.empty()) {
    throw Error(ErrorCode::kInput, foreign_message(name_, foreign, "lines are read plain or compressed by gzip, zstd or bzip2"));
  }
  const Compression compression = sniff_compression(head);
  stream_ = std::move(stream);
  if (compression != Compression::kNone) decompressor_ = make_decompressor(compression, *stream_);
}

TextLines::~TextLines() = default;

bool TextLines::fill() {
  at_ = 0;
  end_ = decompressor_ ? decompressor_->read(buffer_.data(), buffer_.size()) : stream_->read(buffer_.data(), buffer_.size());
  if (end_ == 0 && decompressor_ && !decompressor_->damage().empty())
    throw Error(ErrorCode::kInput, fmt::format("{}: {}", name_, decompressor_->damage()));
  return end_ > 0;
}

bool TextLines::waiting() const noexcept {
  return std::string_view(buffer_).substr(at_, end_ - at_).find('\n') == std::string_view::npos;
}

bool TextLines::next(std::string_view& line) {
  line_.clear();
  cut_ = false;
  bool any = false;
  while (at_ < end_ || fill()) {
    any = true;
    const std::string_view rest = std::string_view(buffer_).substr(at_, end_ - at_);
    const size_t feed = rest.find('\n');
    const std::string_view piece = rest.substr(0, feed);
    const size_t room = max_line_bytes_ - line_.size();
    line_.append(piece.substr(0, room));
    cut_ = cut_ || piece.size() > room;
    at_ += piece.size();
    if (feed == std::string_view::npos) continue;
    ++at_;
    break;
  }
  if (any) ++number_;
  line = line_;
  return any;
}

}  // namespace neardup
