#include "io/warc/warc_cutter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/warc/http_message.h"

namespace neardup {
namespace {

constexpr std::string_view kMagic = "WARC/";
constexpr size_t kMaxHeaderBytes = 1u << 20;
constexpr uint64_t kMaxBlockBytes = uint64_t{1} << 60;  // sums with it do not wrap around
constexpr size_t kReadBytes = 256u << 10;
constexpr size_t kMaxLineBreaks = 64;  // between two records; there should be two
constexpr std::string_view kLineBreaks = "\r\n";

// The first line that begins with "WARC/" and a digit, at or after `from`. npos: none.
size_t find_record(std::string_view bytes, size_t from) noexcept {
  for (size_t at = bytes.find("\nWARC/", from); at != std::string_view::npos; at = bytes.find("\nWARC/", at + 1)) {
    const std::string_view version = bytes.substr(at + 1 + kMagic.size(), 1);
    if (!version.empty() && version[0] >= '0' && version[0] <= '9') return at + 1;
  }
  return std::string_view::npos;
}

}  // namespace

WarcCutter::WarcCutter(const StoredBytes& stored, Compression compression, uint64_t max_record_bytes)
    : max_record_bytes_(max_record_bytes), stored_size_(stored.size()), reader_(stored, compression) {
  enter_member();
}

std::string_view WarcCutter::ahead() const noexcept {
  const size_t end = wall_ == Wall::kSeam ? seam_at_ : window_.size();
  return window_.view().substr(at_, end - at_);
}

// Begins the next member, and checks whether a record begins with it: then it is a seam. Skips empty members, and those that continue a
// record.
void WarcCutter::enter_member() {
  for (;;) {
    if (!reader_.begin()) {
      wall_ = Wall::kEnd;
      return;
    }
    const size_t begin = window_.size();
    seams_.push_back({position_ + (begin - at_), reader_.member_offset()});
    window_.reserve(begin + kReadBytes);
    MemberReader::Event event = MemberReader::Event::kBytes;
    while (event == MemberReader::Event::kBytes && window_.size() - begin < kMagic.size()) {
      size_t got = 0;
      event = reader_.read(window_.data() + window_.size(), kMagic.size() - (window_.size() - begin), got);
      window_.set_size(window_.size() + got);
    }
    if (event == MemberReader::Event::kMemberEnd) continue;
    damaged_after_ = event == MemberReader::Event::kDamage;
    if (!damaged_after_ && window_.view().substr(begin, kMagic.size()) != kMagic) return;
    wall_ = Wall::kSeam;
    seam_at_ = begin;
    return;
  }
}

void WarcCutter::read_on() {
  window_.reserve(window_.size() + kReadBytes);
  size_t got = 0;
  const MemberReader::Event event = reader_.read(window_.data() + window_.size(), kReadBytes, got);
  window_.set_size(window_.size() + got);
  if (event == MemberReader::Event::kMemberEnd) enter_member();
  if (event == MemberReader::Event::kDamage) wall_ = Wall::kDamage;
}

// True if there are `wanted` bytes ahead.
bool WarcCutter::fill(uint64_t wanted) {
  while (ahead().size() < wanted && wall_ == Wall::kNone) read_on();
  return ahead().size() >= wanted;
}

// Without buffered bytes: continues after a seam, or a damaged member. False at the end.
bool WarcCutter::pass_wall() {
  if (wall_ == Wall::kSeam) {
    wall_ = std::exchange(damaged_after_, false) ? Wall::kDamage : Wall::kNone;
    return true;
  }
  damage_reported_ = false;
  while (wall_ == Wall::kDamage) {
    if (!reader_.seek()) {
      wall_ = Wall::kEnd;
      break;
    }
    // Only a member that begins with a record counts; otherwise the search continues.
    char head[kMagic.size()];
    size_t filled = 0;
    for (size_t got = 0; filled < sizeof head && reader_.read(head + filled, sizeof head - filled, got) == MemberReader::Event::kBytes;)
      filled += got;
    if (std::string_view(head, filled) != kMagic) continue;
    seams_.push_back({position_, reader_.member_offset()});
    window_.reserve(window_.size() + kReadBytes);
    std::memcpy(window_.data() + window_.size(), head, filled);
    window_.set_size(window_.size() + filled);
    wall_ = Wall::kNone;
    return true;
  }
  return wall_ != Wall::kEnd;
}

void WarcCutter::drop(size_t bytes) noexcept {
  at_ += bytes;
  position_ += bytes;
  if (at_ < window_.size() / 2 || at_ == 0) return;
  std::memmove(window_.data(), window_.data() + at_, window_.size() - at_);
  window_.set_size(window_.size() - at_);
  seam_at_ -= std::min(seam_at_, at_);
  at_ = 0;
}

uint64_t WarcCutter::offset_here() {
  if (reader_.plain()) return position_;
  while (seams_.size() > 1 && seams_[1].position <= position_) seams_.pop_front();
  return seams_.empty() ? 0 : seams_.front().offset;
}

bool WarcCutter::next(WarcRecord& record) {
  drop(std::exchange(given_, 0));
  record = {};
  if (!begin_record()) return false;
  record.offset = offset_here();
  if (ahead().empty()) {  // a member that is damaged before its first byte, or after a complete record
    record.problem = {reader_.damage(), RejectKind::kDamaged};
    damage_reported_ = true;
    return true;
  }
  if (!cut_header(record)) return true;
  if (record.block_bytes > max_record_bytes_ && fits(record)) {
    cut_long(record);
  } else {
    cut_block(record);
  }
  return true;
}

// Skips line breaks, seams, and reported damage. False at the end. Afterwards there are buffered bytes, except at damage.
bool WarcCutter::begin_record() {
  for (;;) {
    while (fill(1)) {
      const size_t breaks = std::min(ahead().find_first_not_of(kLineBreaks), ahead().size());
      if (breaks == 0) return true;
      drop(breaks);
    }
    if (wall_ == Wall::kDamage && !damage_reported_) return true;
    if (!pass_wall()) return false;
  }
}

bool WarcCutter::cut_header(WarcRecord& record) {
  fill(kMagic.size());
  if (!ahead().starts_with(kMagic)) {
    give_damaged(record, kMagic.starts_with(ahead()) ? "the record is cut off in its header" : "no WARC record begins here");
    return false;
  }
  size_t end = std::string_view::npos;
  for (size_t searched = 0; end == std::string_view::npos;) {
    const bool more = fill(searched + 1);
    end = header_end(ahead(), searched);
    searched = ahead().size();
    if (end != std::string_view::npos || (more && searched <= kMaxHeaderBytes)) continue;
    give_damaged(record, more ? fmt::format("the header of the record is longer than {} bytes", kMaxHeaderBytes)
                              : "the record is cut off in its header");
    return false;
  }
  record.header_bytes = end;
  const std::string_view text = HeaderFields(ahead().substr(0, end))["Content-Length"];
  const auto number = whole_number(text);
  if (number && *number <= kMaxBlockBytes) {
    record.block_bytes = *number;
    return true;
  }
  give_damaged(record, text.empty() ? "the record has no Content-Length" : fmt::format("Content-Length is '{}'", text.substr(0, 40)));
  return false;
}

// A plain file shows at once if it is too short.
bool WarcCutter::fits(const WarcRecord& record) const noexcept {
  return !reader_.plain() || record.header_bytes + record.block_bytes <= stored_size_ - std::min(position_, stored_size_);
}

void WarcCutter::cut_block(WarcRecord& record) {
  const uint64_t total = record.header_bytes + record.block_bytes;
  if (!fits(record) || !fill(total)) {
    return give_damaged(record, fmt::format("the record is cut off: Content-Length is {}, but fewer bytes follow", record.block_bytes));
  }
  const auto size = static_cast<size_t>(total);
  if (ends_well(size)) return give(record, size);
  give_damaged(record, fmt::format("Content-Length is {}, but the record does not end there", record.block_bytes));
}

// A record is followed by line breaks, and then by another record or nothing.
bool WarcCutter::ends_well(size_t bytes) {
  size_t at = bytes;
  while (at < bytes + kMaxLineBreaks && fill(at + 1) && kLineBreaks.find(ahead()[at]) != std::string_view::npos) ++at;
  fill(at + kMagic.size());
  const std::string_view after = ahead().substr(at, kMagic.size());
  // A wrong checksum of a member is detected at its end: the record before it cannot be trusted.
  if (after.empty()) return wall_ != Wall::kDamage;
  // The start of a member has no effect on the previous one, which is intact.
  const bool member_ends =
      std::ranges::any_of(seams_, [&](const Seam& seam) { return seam.position >= position_ + bytes && seam.position <= position_ + at; });
  return member_ends || at == bytes + kMaxLineBreaks || kMagic.starts_with(after);
}

// Skips the block without keeping it. Faults after it show at the next record.
void WarcCutter::cut_long(WarcRecord& record) {
  header_ = ahead().substr(0, record.header_bytes);
  drop(record.header_bytes);
  uint64_t left = record.block_bytes;
  while (left > 0 && fill(1)) {
    const auto passed = static_cast<size_t>(std::min<uint64_t>(left, ahead().size()));
    drop(passed);
    left -= passed;
  }
  record.bytes = header_;
  record.walked_bytes = record.header_bytes + (record.block_bytes - left);
  record.too_long = true;
  if (left == 0) return;
  record.problem = {
      fmt::format("the record is cut off: Content-Length is {}, but {} bytes follow", record.block_bytes, record.block_bytes - left),
      RejectKind::kDamaged};
  if (wall_ != Wall::kDamage) return;
  record.problem = {reader_.damage(), RejectKind::kDamaged};
  damage_reported_ = true;
}

void WarcCutter::give(WarcRecord& record, size_t bytes) {
  record.bytes = ahead().substr(0, bytes);
  record.walked_bytes = bytes;
  given_ = bytes;
}

// Ends the record at the start of another one, or where nothing more can be read: then damage explains it better.
void WarcCutter::give_damaged(WarcRecord& record, std::string problem) {
  const uint64_t most = max_record_bytes_ + kMaxHeaderBytes;
  size_t end = std::string_view::npos;
  for (size_t searched = 0;;) {
    end = find_record(ahead(), searched);
    if (end != std::string_view::npos) break;
    const size_t before = ahead().size();
    searched = before - std::min(before, kMagic.size() + 1);  // the line may begin in earlier bytes
    if (before <= most && fill(before + 1)) continue;
    end = before > most ? searched : before;
    break;
  }
  record.problem = {std::move(problem), RejectKind::kDamaged};
  if (end == ahead().size() && wall_ == Wall::kDamage) {
    record.problem = {reader_.damage(), RejectKind::kDamaged};
    damage_reported_ = true;
  }
  if (end < record.header_bytes) record.header_bytes = 0;  // another record begins inside of the header
  give(record, end);
}

}  // namespace neardup
