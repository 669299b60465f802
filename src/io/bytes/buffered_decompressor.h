// BufferedDecompressor: what the formats share: the input buffer, the end of one stream and the beginning of the next, padding, damage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/decompress.h"

namespace neardup {

class BufferedDecompressor : public Decompressor {
 public:
  size_t read(char* to, size_t bytes) final;
  [[nodiscard]] const std::string& damage() const noexcept final { return damage_; }
  [[nodiscard]] uint64_t consumed_bytes() const noexcept final { return consumed_; }

 protected:
  BufferedDecompressor(Compression format, ByteStream& stream);

  /// Decompresses from input() into `to` and returns how many bytes that gave; calls use() for what it took, and end_stream() or fail().
  /// Makes progress while there is input; with empty input it gives what the library still holds.
  virtual size_t step(char* to, size_t bytes) = 0;
  /// Prepares for the stream that begins at input(), which is not empty. False if none begins there.
  virtual bool restart() = 0;

  [[nodiscard]] std::string_view input() const noexcept { return {input_.data() + at_, filled_ - at_}; }
  void use(size_t bytes) noexcept { at_ += bytes; }
  void end_stream() noexcept { between_streams_ = true; }
  void fail(std::string_view why) { failure_ = why; }

 private:
  bool refill();
  bool begin_next();
  void stop(std::string_view what);

  const Compression format_;
  ByteStream& stream_;
  std::vector<char> input_;
  size_t at_ = 0;
  size_t filled_ = 0;
  uint64_t consumed_ = 0;
  uint64_t produced_ = 0;
  bool between_streams_ = true;
  bool first_ = true;
  bool padded_ = false;
  bool finished_ = false;
  std::string failure_;
  std::string damage_;
};

std::unique_ptr<Decompressor> make_bzip2_decompressor(ByteStream& stream);

}  // namespace neardup
