#include "io/bytes/byte_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "neardup/error.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

// Standard input or a file, which may be a pipe. `name` is for the message.
FileDescriptor open_stream(const std::string& path, const std::string& name) {
  FileDescriptor stream(path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (stream.get() < 0) throw Error(ErrorCode::kInput, "cannot open '" + name + "': " + std::strerror(errno));
  return stream;
}

class StoredFile final : public StoredBytes {
 public:
  StoredFile(const std::string& path, const FileStamp& expected) : file_(path), expected_(expected) { file_.check(expected_); }
  size_t read_at(uint64_t offset, char* to, size_t bytes) const override {
    const size_t got = file_.read_at(offset, to, bytes);
    if (got < bytes) file_.check(expected_);
    return got;
  }
  [[nodiscard]] uint64_t size() const noexcept override { return expected_.size; }

 private:
  const InputFile file_;
  const FileStamp expected_;
};

class StoredSpool final : public StoredBytes {
 public:
  StoredSpool(ByteStream& stream, const std::string& temp_dir) : file_(temp_dir) {
    constexpr size_t kBlockBytes = 1u << 20;
    std::vector<char> block(kBlockBytes);
    for (size_t got = 0; (got = stream.read(block.data(), block.size())) > 0;) file_.append(block.data(), got);
  }
  size_t read_at(uint64_t offset, char* to, size_t bytes) const override {
    const auto got = static_cast<size_t>(std::min<uint64_t>(bytes, file_.size() - std::min(offset, file_.size())));
    if (got > 0) file_.read(offset, to, got);
    return got;
  }
  [[nodiscard]] uint64_t size() const noexcept override { return file_.size(); }

 private:
  TempFile file_;
};

}  // namespace

FileStream::FileStream(const std::string& path, const FileStamp& expected) : file_(path), expected_(expected) {
  file_.check(expected_);
}

size_t FileStream::read(char* to, size_t bytes) {
  const size_t got = file_.read_at(at_, to, bytes);
  at_ += got;
  if (got < bytes) file_.check(expected_);
  return got;
}

SpooledStream::SpooledStream(const std::string& path, const std::string& temp_dir, bool once)
    : name_(path == "-" ? "standard input" : path), descriptor_(open_stream(path, name_)), once_(once), spool_(temp_dir) {}

void SpooledStream::rewind() {
  if (at_ > spool_.size()) throw Error(ErrorCode::kInput, "'" + name_ + "' is a stream that can be read only once here");
  rewound_ = true;
  at_ = 0;
}

size_t SpooledStream::read(char* to, size_t bytes) {
  if (at_ < spool_.size()) {
    const auto got = static_cast<size_t>(std::min<uint64_t>(bytes, spool_.size() - at_));
    spool_.read(at_, to, got);
    at_ += got;
    return got;
  }
  while (!ended_) {
    wait_for_input(descriptor_.get());
    const ssize_t got = ::read(descriptor_.get(), to, std::min<size_t>(bytes, 1u << 30));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(ErrorCode::kInput, "cannot read '" + name_ + "': " + std::strerror(errno));
    if (got == 0) break;
    at_ += static_cast<uint64_t>(got);
    if (!once_ || !rewound_) spool_.append(to, static_cast<size_t>(got));
    return static_cast<size_t>(got);
  }
  ended_ = true;
  return 0;
}

std::unique_ptr<StoredBytes> open_stored(const std::string& path, const FileStamp& expected) {
  return std::make_unique<StoredFile>(path, expected);
}

std::unique_ptr<StoredBytes> spool_stored(ByteStream& stream, const std::string& temp_dir) {
  return std::make_unique<StoredSpool>(stream, temp_dir);
}

void wait_for_input(int descriptor) {
  constexpr int kAskEveryMs = 100;
  if (current_stop() == nullptr) return;
  pollfd input{.fd = descriptor, .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    check_stop();
    ready = ::poll(&input, 1, kAskEveryMs);
  } while (ready == 0 || (ready < 0 && errno == EINTR));
}

}  // namespace neardup
