// MemoryStream: bytes in memory as a stream, for a decompressor.
#pragma once

#include <string_view>

#include "io/bytes/byte_stream.h"

namespace neardup {

class MemoryStream final : public ByteStream {
 public:
  explicit MemoryStream(std::string_view bytes) : bytes_(bytes) {}
  size_t read(char* to, size_t bytes) override {
    const size_t got = bytes_.copy(to, bytes, at_);
    at_ += got;
    return got;
  }
  void rewind() override { at_ = 0; }

 private:
  const std::string_view bytes_;
  size_t at_ = 0;
};

}  // namespace neardup
