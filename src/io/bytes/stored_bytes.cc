#include "io/bytes/stored_bytes.h"

#include <algorithm>
#include <vector>

namespace neardup {
namespace {

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

std::unique_ptr<StoredBytes> open_stored(const std::string& path, const FileStamp& expected) {
  return std::make_unique<StoredFile>(path, expected);
}

std::unique_ptr<StoredBytes> spool_stored(ByteStream& stream, const std::string& temp_dir) {
  return std::make_unique<StoredSpool>(stream, temp_dir);
}

}  // namespace neardup
