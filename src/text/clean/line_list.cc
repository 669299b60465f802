#include "text/clean/line_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/open_file.h"
#include "neardup/error.h"

namespace neardup {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little endian");

// The file: this, the hashes, and XXH3-64 of all bytes before.
struct Header {
  char magic[8];
  uint32_t version;
  uint32_t share_millionths;
  uint64_t documents;
  uint64_t lines;
  uint64_t id;
};
static_assert(sizeof(Header) == 40);
constexpr char kMagic[] = "ndlines\n";
constexpr uint32_t kVersion = 1;
constexpr uint64_t kMaxLines = std::numeric_limits<uint32_t>::max() - 1;

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::kInput, fmt::format("'{}' is not a line list: {}", name, what));
}

std::string_view bytes_of(const std::vector<uint64_t>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(uint64_t)};
}

bool is_blank(char byte) noexcept {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

// Bytes of white space at the beginning of `line`, or at its end.
size_t blank_prefix(std::string_view line) noexcept {
  if (!line.empty() && is_blank(line.front())) return 1;
  if (line.starts_with("\xC2\xA0")) return 2;
  return line.starts_with("\xE3\x80\x80") ? 3 : 0;
}
size_t blank_suffix(std::string_view line) noexcept {
  if (!line.empty() && is_blank(line.back())) return 1;
  if (line.ends_with("\xC2\xA0")) return 2;
  return line.ends_with("\xE3\x80\x80") ? 3 : 0;
}

}  // namespace

LineList::LineList(std::vector<uint64_t> hashes, Threshold share, uint64_t documents)
    : hashes_(std::move(hashes)), share_(share), documents_(documents) {
  std::sort(hashes_.begin(), hashes_.end());
  hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
  if (hashes_.size() > kMaxLines) throw Error(ErrorCode::kResource, fmt::format("a line list holds at most {} lines", kMaxLines));
  index();
}

void LineList::index() {
  id_ = hash64(bytes_of(hashes_));
  const int bits = std::clamp(static_cast<int>(std::bit_width(hashes_.size())), 1, 28);
  shift_ = static_cast<uint32_t>(64 - bits);
  starts_.assign((size_t{1} << bits) + 1, 0);
  for (const uint64_t hash : hashes_) ++starts_[(hash >> shift_) + 1];
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

bool LineList::contains(uint64_t hash) const noexcept {
  const size_t bucket = hash >> shift_;
  return std::binary_search(hashes_.begin() + starts_[bucket], hashes_.begin() + starts_[bucket + 1], hash);
}

std::string LineList::serialize() const {
  Header header{{}, kVersion, share_.millionths(), documents_, hashes_.size(), id_};
  std::memcpy(header.magic, kMagic, sizeof header.magic);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes += bytes_of(hashes_);
  const uint64_t checksum = hash64(bytes);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  return bytes;
}

LineList LineList::parse(std::string_view bytes, const std::string& name) {
  Header header;
  if (bytes.size() < sizeof header + sizeof(uint64_t)) fail(name, fmt::format("it has {} bytes", bytes.size()));
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof header.magic) != 0) fail(name, "it does not begin as one; neardup lines fit makes them");
  if (header.version != kVersion) fail(name, fmt::format("it has format version {}, this program reads {}", header.version, kVersion));
  if (header.lines > kMaxLines || bytes.size() != sizeof header + (header.lines + 1) * sizeof(uint64_t)) {
    fail(name, fmt::format("it has {} bytes and claims {} lines", bytes.size(), header.lines));
  }
  uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + bytes.size() - sizeof checksum, sizeof checksum);
  if (hash64(bytes.substr(0, bytes.size() - sizeof checksum)) != checksum) fail(name, "its checksum does not fit");
  if (header.share_millionths == 0 || header.share_millionths > Threshold::kOne) {
    fail(name, fmt::format("its share is {} millionths", header.share_millionths));
  }
  std::vector<uint64_t> hashes(header.lines);
  if (!hashes.empty()) std::memcpy(hashes.data(), bytes.data() + sizeof header, hashes.size() * sizeof(uint64_t));
  if (std::adjacent_find(hashes.begin(), hashes.end(), std::greater_equal<>()) != hashes.end()) fail(name, "its hashes are not in order");
  LineList list(std::move(hashes), Threshold::from_millionths(header.share_millionths), header.documents);
  if (list.id() != header.id) fail(name, "its id does not fit its lines");
  return list;
}

LineList LineList::load(const std::string& path) {
  return parse(read_file(path, Allow::kRegular, "open"), path);
}

void LineList::save(const std::string& path) const {
  AtomicFile file(path);
  file.append(serialize());
  file.commit();
}

std::string_view trim_line(std::string_view line) noexcept {
  while (const size_t blank = blank_prefix(line)) line.remove_prefix(blank);
  while (const size_t blank = blank_suffix(line)) line.remove_suffix(blank);
  return line;
}

}  // namespace neardup
