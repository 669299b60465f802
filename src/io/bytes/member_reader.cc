#include "io/bytes/member_reader.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <new>

#include "neardup/error.h"

namespace neardup {

// Decodes one format. Like inflate(): consumes `in`, fills `out`.
class MemberDecoder {
 public:
  enum class State { kMore, kEnd, kFailed };
  struct Step {
    size_t taken;
    size_t given;
    State state;
  };
  virtual ~MemberDecoder() = default;
  virtual void begin() = 0;
  // Without input it returns the bytes still buffered in the library.
  virtual Step step(const char* in, size_t in_bytes, char* out, size_t out_bytes) = 0;
  [[nodiscard]] virtual std::string failure() const = 0;
  // The bytes that begin a member; empty: none.
  [[nodiscard]] virtual std::string_view magic() const noexcept = 0;
  // Of a zstd file, before its first frame. Throws nothing: an invalid dictionary fails in step().
  virtual void load_dictionary(const std::string& bytes) { static_cast<void>(bytes); }
};

namespace {

constexpr size_t kBufferBytes = 256u << 10;
constexpr size_t kMaxMemberStep = 1u << 30;  // zlib counts in 32 bits
constexpr uint64_t kMaxDictionaryBytes = 64u << 20;
constexpr uint64_t kMaxReadAgain = 8;  // times the size of the file
constexpr std::string_view kDictionaryMagic = "\x5D\x2A\x4D\x18";

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
            : good || given > 0    ? State::kMore  // zlib reports a fault again on the next call
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
  // It gets no more input than it asks for, so that a corrupt block loses nothing of the good one before it.
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
      constexpr unsigned long long kMax = 64u << 20;
      const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
      if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > kMax) return;
      plain.resize(static_cast<size_t>(size));
      if (ZSTD_isError(ZSTD_decompress(plain.data(), plain.size(), bytes.data(), bytes.size())) != 0) return;
    }
    ZSTD_DCtx_loadDictionary(state_, plain.empty() ? bytes.data() : plain.data(), plain.empty() ? bytes.size() : plain.size());
  }

 private:
  ZSTD_DStream* const state_;
  std::string failure_;
  size_t wanted_ = 1;
  bool full_ = false;  // the output was full, so there is more without input
  bool ended_ = false;
};

std::unique_ptr<MemberDecoder> make_member_decoder(Compression compression) {
  if (compression == Compression::kGzip) return std::make_unique<GzipMember>();
  if (compression == Compression::kZstd) return std::make_unique<ZstdFrame>();
  throw Error(ErrorCode::kInput, fmt::format("{} data has no separate members", name_of(compression)));
}

}  // namespace

MemberReader::MemberReader(const StoredBytes& stored, Compression compression)
    : stored_(stored),
      compression_(compression),
      decoder_(compression == Compression::kNone ? nullptr : make_member_decoder(compression)),
      buffer_(kBufferBytes) {
  if (compression == Compression::kZstd) read_dictionary();
}

MemberReader::~MemberReader() = default;

void MemberReader::read_dictionary() {
  char head[8];
  if (stored_.read_at(0, head, sizeof head) != sizeof head || std::string_view(head, 4) != kDictionaryMagic) return;
  uint64_t bytes = 0;
  for (int i = 0; i < 4; ++i) bytes |= uint64_t{static_cast<unsigned char>(head[4 + i])} << (8 * i);
  if (bytes > kMaxDictionaryBytes || bytes > stored_.size() - sizeof head) return;  // the frames will report the fault
  std::string dictionary(static_cast<size_t>(bytes), '\0');
  if (stored_.read_at(sizeof head, dictionary.data(), dictionary.size()) == dictionary.size()) decoder_->load_dictionary(dictionary);
}

std::string_view MemberReader::input() {
  if (at_ < buffer_offset_ || at_ >= buffer_offset_ + filled_) {
    buffer_offset_ = at_;
    filled_ = stored_.read_at(at_, buffer_.data(), buffer_.size());
  }
  const auto skip = static_cast<size_t>(at_ - buffer_offset_);
  return {buffer_.data() + skip, filled_ - skip};
}

void MemberReader::go_to(uint64_t offset) noexcept {
  at_ = offset;
  member_offset_ = offset;
  produced_ = 0;
  begun_ = true;
  if (decoder_) decoder_->begin();
}

bool MemberReader::begin() {
  if (decoder_ == nullptr) {
    if (begun_ || stored_.size() == 0) return false;
    go_to(0);
    return true;
  }
  for (std::string_view in = input();; in = input()) {
    if (in.empty()) return false;
    const size_t padding = begun_ ? std::min(in.find_first_not_of('\0'), in.size()) : 0;
    at_ += padding;
    if (padding < in.size()) break;
  }
  go_to(at_);
  return true;
}

MemberReader::Event MemberReader::read(char* to, size_t bytes, size_t& got) {
  got = 0;
  if (decoder_ == nullptr) {
    got = stored_.read_at(at_, to, bytes);
    at_ += got;
    return got > 0 ? Event::kBytes : Event::kMemberEnd;
  }
  for (;;) {
    const std::string_view in = input();
    const MemberDecoder::Step step = decoder_->step(in.data(), in.size(), to, std::min(bytes, kMaxMemberStep));
    at_ += step.taken;
    produced_ += step.given;
    got = step.given;
    // Bytes that came with the end or the fault are returned first; the library reports it again.
    if (step.state == MemberDecoder::State::kFailed) return fail("is corrupt", decoder_->failure());
    if (step.state == MemberDecoder::State::kEnd && got == 0) return Event::kMemberEnd;
    if (got > 0) return Event::kBytes;
    if (in.empty()) return fail("is truncated", "");
  }
}

MemberReader::Event MemberReader::fail(std::string_view what, const std::string& why) {
  damage_ = fmt::format("its {} {} {} after {} bytes{}", name_of(compression_), compression_ == Compression::kZstd ? "frame" : "member",
                        what, produced_, why.empty() ? "" : fmt::format(" ({})", why));
  return Event::kDamage;
}

bool MemberReader::seek() {
  const std::string_view magic = decoder_ ? decoder_->magic() : std::string_view();
  if (magic.empty()) return false;
  // The fault may have led into the next members, so the search begins early, but does not scan the same bytes repeatedly.
  read_again_ += at_ - member_offset_;
  uint64_t from = read_again_ / kMaxReadAgain > stored_.size() ? std::max(at_, member_offset_ + 1) : member_offset_ + 1;
  for (;;) {
    at_ = from;
    const std::string_view in = input();
    const size_t found = in.find(magic);
    if (found != std::string_view::npos) {
      go_to(from + found);
      return true;
    }
    if (from + in.size() >= stored_.size() || in.empty()) return false;
    // The magic may cross the end of the buffer, which is refilled.
    if (in.size() >= magic.size()) from += in.size() - (magic.size() - 1);
    buffer_offset_ = 0;
    filled_ = 0;
  }
}

}  // namespace neardup
