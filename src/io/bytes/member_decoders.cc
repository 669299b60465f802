#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <new>

#include "io/bytes/member_reader.h"
#include "neardup/error.h"

namespace neardup {
namespace {

class GzipMember final : public MemberDecoder {
 public:
  GzipMember() {
    constexpr int kGzipWindow = 15 + 16;
    if (inflateInit2(&state_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~GzipMember() override { inflateEnd(&state_); }
  GzipMember(const GzipMember&) = delete;
  GzipMember& operator=(const GzipMember&) = delete;

  void begin() override { inflateReset(&state_); }
  Step step(const char* in, size_t in_bytes, char* out, size_t out_bytes) override {
    // An old interface: it only reads.
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in));
    state_.avail_in = static_cast<uInt>(in_bytes);
    state_.next_out = reinterpret_cast<Bytef*>(out);
    state_.avail_out = static_cast<uInt>(out_bytes);
    const int result = inflate(&state_, Z_NO_FLUSH);
    const bool good = result == Z_OK || result == Z_BUF_ERROR || result == Z_STREAM_END;
    const size_t given = out_bytes - state_.avail_out;
    return {in_bytes - state_.avail_in, given,
            result == Z_STREAM_END ? State::kEnd
            : good || given > 0    ? State::kMore  // zlib says a fault again when it is asked again
                                   : State::kFailed};
  }
  [[nodiscard]] std::string failure() const override { return state_.msg != nullptr ? state_.msg : "cannot be read"; }
  [[nodiscard]] std::string_view magic() const noexcept override { return "\x1F\x8B\x08"; }

 private:
  z_stream state_{};
};

class ZstdFrame final : public MemberDecoder {
 public:
  ZstdFrame() : state_(ZSTD_createDStream()) {
    if (state_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(state_, ZSTD_d_windowLogMax, ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
  }
  ~ZstdFrame() override { ZSTD_freeDStream(state_); }
  ZstdFrame(const ZstdFrame&) = delete;
  ZstdFrame& operator=(const ZstdFrame&) = delete;

  void begin() override {
    ZSTD_DCtx_reset(state_, ZSTD_reset_session_only);
    wanted_ = 1;
    full_ = false;
    ended_ = false;
  }
  // It is shown no more than it asks for, so that a corrupt block takes along nothing of the good one before it.
  Step step(const char* in, size_t in_bytes, char* out, size_t out_bytes) override {
    if (ended_) return {0, 0, State::kEnd};
    ZSTD_inBuffer from{in, full_ ? 0 : std::min(wanted_, in_bytes), 0};
    ZSTD_outBuffer to{out, out_bytes, 0};
    const size_t result = ZSTD_decompressStream(state_, &to, &from);
    if (ZSTD_isError(result) != 0) {
      failure_ = ZSTD_getErrorName(result);
      return {from.pos, 0, State::kFailed};
    }
    full_ = result != 0 && to.pos == to.size;
    ended_ = result == 0;
    wanted_ = result;
    return {from.pos, to.pos, ended_ ? State::kEnd : State::kMore};
  }
  [[nodiscard]] std::string failure() const override { return failure_; }
  [[nodiscard]] std::string_view magic() const noexcept override { return "\x28\xB5\x2F\xFD"; }

  void load_dictionary(const std::string& bytes) override {
    std::string plain;
    if (bytes.starts_with(magic())) {
      constexpr unsigned long long kMost = 64u << 20;
      const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
      if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > kMost) return;
      plain.resize(static_cast<size_t>(size));
      if (ZSTD_isError(ZSTD_decompress(plain.data(), plain.size(), bytes.data(), bytes.size())) != 0) return;
    }
    ZSTD_DCtx_loadDictionary(state_, plain.empty() ? bytes.data() : plain.data(), plain.empty() ? bytes.size() : plain.size());
  }

 private:
  ZSTD_DStream* const state_;
  std::string failure_;
  size_t wanted_ = 1;
  bool full_ = false;  // the output was, so there is more without input
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<MemberDecoder> make_member_decoder(Compression compression) {
  if (compression == Compression::kGzip) return std::make_unique<GzipMember>();
  if (compression == Compression::kZstd) return std::make_unique<ZstdFrame>();
  throw Error(ErrorCode::kInput, fmt::format("{} data has no members that could be told apart", name_of(compression)));
}

}  // namespace neardup
