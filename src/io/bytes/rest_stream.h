// RestStream: bytes that were read from a stream already, then the rest of that stream.
//
// Its reads end where those of a decompressor of the whole stream end, so that consumed_bytes() of one that begins here is the same.
//
// One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <utility>

#include "io/bytes/buffer.h"
#include "io/bytes/byte_stream.h"

namespace neardup {

class RestStream final : public ByteStream {
 public:
  /// `offset`: of the first byte of `read`, in the whole stream. `error`: of the stream after the bytes that were read, which is thrown
  /// there; null: none so far. `rest` must outlive this.
  RestStream(uint64_t offset, std::deque<Buffer> read, ByteStream& rest, std::exception_ptr error)
      : at_(offset), read_(std::move(read)), rest_(rest), error_(std::move(error)) {}  // NOLINT(bugprone-throw-keyword-missing)

  /// Throws Error{kStopped} too.
  size_t read(char* to, size_t bytes) override;
  /// Does nothing: a decompressor reads once.
  void rewind() override {}

 private:
  uint64_t at_;
  std::deque<Buffer> read_;
  size_t used_ = 0;  // of the first
  ByteStream& rest_;
  const std::exception_ptr error_;
};

}  // namespace neardup
