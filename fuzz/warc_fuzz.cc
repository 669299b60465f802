// Any bytes as a crawl archive, plain and in gzip members: the cutter accounts for every byte of a plain one, ends, and gives the same
// records for the same bytes whatever the limit of a record allows.
#include <cstdint>
#include <cstring>
#include <string>

#include "fuzz_support.h"
#include "io/files/html_charset.h"
#include "io/warc/http_message.h"
#include "io/warc/warc_cutter.h"

namespace {

using namespace neardup;
using fuzz::require;

class Bytes final : public StoredBytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  size_t read_at(uint64_t offset, char* to, size_t bytes) const override {
    if (offset >= size_) return 0;
    const size_t got = std::min<size_t>(bytes, size_ - static_cast<size_t>(offset));
    std::memcpy(to, data_ + offset, got);
    return got;
  }
  [[nodiscard]] uint64_t size() const noexcept override { return size_; }

 private:
  const uint8_t* data_;
  const size_t size_;
};

void read_all(const StoredBytes& stored, Compression compression, uint64_t limit) {
  WarcCutter cutter(stored, compression, limit);
  WarcRecord record;
  uint64_t walked = 0;
  std::string space;
  for (uint64_t count = 0; cutter.next(record); ++count) {
    require(count <= 2 * stored.size() + 2 || compression != Compression::kNone);
    require(record.header_bytes <= record.bytes.size() && record.offset <= stored.size());
    require(!record.problem.empty() || record.too_long || record.header_bytes + record.block_bytes == record.bytes.size());
    walked += record.walked_bytes;
    const std::string_view block = record.bytes.substr(record.header_bytes);
    const HttpHead head = read_http_head(block);
    std::string_view body;
    require(head.bytes <= block.size());
    static_cast<void>(http_body(head, block.substr(head.bytes), false, 1u << 16, space, body));
    require(declared_charset(body).size() <= 1024);
  }
  require(compression != Compression::kNone || walked <= stored.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes stored(data, size);
  for (const uint64_t limit : {64u, 1u << 20}) {
    for (const Compression compression : {Compression::kNone, Compression::kGzip, Compression::kZstd}) read_all(stored, compression, limit);
  }
  return 0;
}
