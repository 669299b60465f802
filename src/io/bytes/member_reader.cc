#include "io/bytes/member_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace neardup {
namespace {

constexpr size_t kBufferBytes = 256u << 10;
constexpr size_t kMostAtOnce = 1u << 30;  // zlib counts in 32 bits
constexpr uint64_t kMostDictionaryBytes = 64u << 20;
constexpr uint64_t kMostReadAgain = 8;  // times the size of the file
constexpr std::string_view kDictionaryMagic = "\x5D\x2A\x4D\x18";

}  // namespace

MemberReader::MemberReader(const StoredBytes& stored, Compression compression)
    : stored_(stored),
      compression_(compression),
      decoder_(compression == Compression::kNone ? nullptr : make_member_decoder(compression)),
      buffer_(kBufferBytes) {
  if (compression == Compression::kZstd) read_dictionary();
}

void MemberReader::read_dictionary() {
  char head[8];
  if (stored_.read_at(0, head, sizeof head) != sizeof head || std::string_view(head, 4) != kDictionaryMagic) return;
  uint64_t bytes = 0;
  for (int i = 0; i < 4; ++i) bytes |= uint64_t{static_cast<unsigned char>(head[4 + i])} << (8 * i);
  if (bytes > kMostDictionaryBytes || bytes > stored_.size() - sizeof head) return;  // the frames will say what is wrong
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
    const MemberDecoder::Step step = decoder_->step(in.data(), in.size(), to, std::min(bytes, kMostAtOnce));
    at_ += step.taken;
    produced_ += step.given;
    got = step.given;
    // What came with the end or the fault is handed out first; the library says so again.
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
  // The fault may have led into the next members, so the search begins early; but not again and again over the same bytes.
  read_again_ += at_ - member_offset_;
  uint64_t from = read_again_ / kMostReadAgain > stored_.size() ? std::max(at_, member_offset_ + 1) : member_offset_ + 1;
  for (;;) {
    at_ = from;
    const std::string_view in = input();
    const size_t found = in.find(magic);
    if (found != std::string_view::npos) {
      go_to(from + found);
      return true;
    }
    if (from + in.size() >= stored_.size() || in.empty()) return false;
    // The magic may lie across the end of the buffer, which is filled anew.
    if (in.size() >= magic.size()) from += in.size() - (magic.size() - 1);
    buffer_offset_ = 0;
    filled_ = 0;
  }
}

}  // namespace neardup
