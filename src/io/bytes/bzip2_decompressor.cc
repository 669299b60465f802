#include <bzlib.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "io/bytes/buffered_decompressor.h"

namespace neardup {
namespace {

constexpr size_t kWindowBytes = 64u << 10;

class Bzip2Decompressor final : public BufferedDecompressor {
 public:
  explicit Bzip2Decompressor(ByteStream& stream) : BufferedDecompressor(Compression::kBzip2, stream) {}
  ~Bzip2Decompressor() override { BZ2_bzDecompressEnd(&state_); }

 private:
  bool restart() override {
    BZ2_bzDecompressEnd(&state_);
    state_ = {};
    if (input()[0] != 'B') return false;
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) throw std::bad_alloc();
    return true;
  }

  // On corrupt data the library forgets what the same call has put out before. So calls end at fixed places of the output, not where
  // the caller's buffer happens to end, and what gets lost does not depend on the caller.
  size_t step(char* to, size_t bytes) override {
    if (given_ == window_filled_) fill_window();
    const size_t got = std::min(bytes, window_filled_ - given_);
    std::memcpy(to, window_.data() + given_, got);
    given_ += got;
    if (given_ == window_filled_) report(result_);
    return got;
  }

  void fill_window() {
    if (window_filled_ == window_.size()) given_ = window_filled_ = 0;
    state_.next_in = const_cast<char*>(input().data());  // an old interface: it only reads
    state_.avail_in = static_cast<unsigned>(input().size());
    state_.next_out = window_.data() + window_filled_;
    state_.avail_out = static_cast<unsigned>(window_.size() - window_filled_);
    result_ = BZ2_bzDecompress(&state_);
    use(input().size() - state_.avail_in);
    window_filled_ = window_.size() - state_.avail_out;
  }

  void report(int result) {
    if (result == BZ_STREAM_END) {
      end_stream();
    } else if (result != BZ_OK) {
      fail(result == BZ_DATA_ERROR_MAGIC ? "no bzip2 header" : "data integrity error");
    }
  }

  std::vector<char> window_ = std::vector<char>(kWindowBytes);
  size_t window_filled_ = 0;
  size_t given_ = 0;
  int result_ = BZ_OK;
  bz_stream state_{};
};

}  // namespace

std::unique_ptr<Decompressor> make_bzip2_decompressor(ByteStream& stream) {
  return std::make_unique<Bzip2Decompressor>(stream);
}

}  // namespace neardup
