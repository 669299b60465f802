#include "store/segment_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using segment::Footer;
using segment::Header;

std::string kind_text(const std::array<char, 8>& kind) {
  return {kind.data(), ::strnlen(kind.data(), kind.size())};
}

}  // namespace

class SegmentFile::Guard : public BlockGuard {
 public:
  Guard(const SegmentFile& file, uint64_t offset, uint64_t bytes, uint64_t first_hash)
      : BlockGuard(file.bytes_.data() + offset, bytes), file_(file), offset_(offset), bytes_(bytes), first_hash_(first_hash) {}

 protected:
  void verify(size_t block) const override {
    const uint64_t begin = block * kBlockBytes;
    const uint64_t size = std::min<uint64_t>(kBlockBytes, bytes_ - begin);
    if (file_.file_) MappedFile::fetch(file_.bytes_.substr(offset_ + begin, size));
    uint64_t expected = 0;
    std::memcpy(&expected, file_.bytes_.data() + file_.header_.hashes_offset + (first_hash_ + block) * sizeof expected, sizeof expected);
    if (hash64(file_.bytes_.substr(offset_ + begin, size)) == expected) return;
    file_.check();
    throw Error(ErrorCode::kInput, fmt::format("'{}': block {} (bytes {} to {}) is damaged", file_.name_, first_hash_ + block,
                                               offset_ + begin, offset_ + begin + size));
  }

 private:
  const SegmentFile& file_;
  uint64_t offset_;
  uint64_t bytes_;
  uint64_t first_hash_;
};

std::unique_ptr<const SegmentFile> SegmentFile::open(const std::string& path, std::string_view kind, uint32_t bits) {
  auto file = std::make_unique<const MappedFile>(path);
  auto opened = std::make_unique<SegmentFile>(file->bytes(), path, kind, bits);
  opened->file_ = std::move(file);
  opened->check();
  opened->expect(MappedFile::Reading::kRandom);
  return opened;
}

SegmentFile::SegmentFile(std::string_view bytes, std::string name, std::string_view kind, uint32_t bits)
    : bytes_(bytes), name_(std::move(name)) {
  check_header(kind, bits);
  check_footer();
  payload_guard_ = std::make_unique<const Guard>(*this, header_.payload_offset, header_.payload_bytes, 0);
  names_guard_ = std::make_unique<const Guard>(*this, header_.names_offset, header_.names_bytes, segment::blocks_of(header_.payload_bytes));
}

SegmentFile::~SegmentFile() = default;

void SegmentFile::check() const {
  if (file_) file_->check();
}

void SegmentFile::release() const noexcept {
  if (file_) file_->release();
}

void SegmentFile::expect(MappedFile::Reading reading) const noexcept {
  if (file_) file_->expect(reading);
}

const BlockGuard& SegmentFile::guard() const noexcept {
  return *payload_guard_;
}

const BlockGuard& SegmentFile::names_guard() const noexcept {
  return *names_guard_;
}

void SegmentFile::fail(const std::string& what) const {
  throw Error(ErrorCode::kInput, fmt::format("'{}': {}", name_, what));
}

void SegmentFile::check_header(std::string_view kind, uint32_t bits) {
  if (!bytes_.starts_with(segment::kMagic.substr(0, bytes_.size())) || bytes_.empty()) fail("this is not a file of a neardup index");
  if (bytes_.size() < sizeof(Header)) fail(fmt::format("cut off: {} bytes, the header has {}", bytes_.size(), sizeof(Header)));
  std::memcpy(&header_, bytes_.data(), sizeof(Header));
  if (header_.byte_order == __builtin_bswap32(segment::kByteOrder)) fail("written with the other byte order");
  if (header_.byte_order != segment::kByteOrder) fail("the header is damaged");
  if (header_.version != segment::kVersion) {
    fail(fmt::format("format version {}, this program reads version {}", header_.version, segment::kVersion));
  }
  if (header_.recipe_bytes > segment::kMaxRecipe || header_.payload_bytes > segment::kMaxSection ||
      header_.names_bytes > segment::kMaxSection) {
    fail("the header is damaged");
  }
  // A header whose sizes do not match its offsets is damaged, not cut off.
  Header expected = header_;
  place_sections(expected);
  if (std::memcmp(&expected, &header_, sizeof(Header)) != 0) fail("the header is damaged");
  if (bytes_.size() < sizeof(Header) + header_.recipe_bytes) {
    fail(fmt::format("cut off: expected {} bytes, found {}", header_.file_bytes, bytes_.size()));
  }
  if (hash64(std::string(bytes_.substr(0, offsetof(Header, sum))).append(recipe())) != header_.sum) fail("the header is damaged");
  if (bytes_.size() != header_.file_bytes) {
    fail(fmt::format("{}: expected {} bytes, found {}", bytes_.size() < header_.file_bytes ? "cut off" : "too long", header_.file_bytes,
                     bytes_.size()));
  }
  if (kind_text(header_.kind) != kind) fail(fmt::format("its kind is '{}', expected '{}'", kind_text(header_.kind), kind));
  if (bits != 0 && header_.bits != bits) fail(fmt::format("fingerprints of {} bits, expected {}", header_.bits, bits));
}

void SegmentFile::check_footer() {
  Footer footer;
  std::memcpy(&footer, bytes_.data() + bytes_.size() - sizeof(Footer), sizeof(Footer));
  const std::string_view hashes = bytes_.substr(header_.hashes_offset, header_.hashes * sizeof(uint64_t));
  const uint64_t parts[] = {header_.sum, hash64(hashes)};
  sum_ = hash64({reinterpret_cast<const char*>(parts), sizeof parts});
  if (std::string_view(footer.magic.data(), footer.magic.size()) != segment::kEndMagic || footer.file_bytes != header_.file_bytes ||
      footer.sum != sum_) {
    fail(fmt::format("the hashes of the blocks or the footer (bytes {} to {}) are damaged", header_.hashes_offset, header_.file_bytes));
  }
}

void SegmentFile::verify_all(uint32_t threads) const {
  constexpr size_t kGrain = 64;  // blocks: 1 MiB
  const size_t payload_blocks = segment::blocks_of(header_.payload_bytes);
  // The bytes between the sections belong to no block and mean nothing, but an intact file has exactly the bytes that were written.
  const auto check_gap = [&](uint64_t begin, uint64_t end) {
    const size_t at = bytes_.substr(begin, end - begin).find_first_not_of('\0');
    if (at != std::string_view::npos) fail(fmt::format("byte {}, between the blocks, is damaged", begin + at));
  };
  check_gap(sizeof(Header) + header_.recipe_bytes, header_.payload_offset);
  check_gap(header_.payload_offset + header_.payload_bytes, header_.names_offset);
  check_gap(header_.names_offset + header_.names_bytes, header_.hashes_offset);
  parallel_for(resolve_threads(threads), header_.hashes, kGrain, [&](uint32_t, size_t block) {
    const bool of_names = block >= payload_blocks;
    const std::string_view section = of_names ? names() : payload();
    if (file_ && block % kGrain == 0) {
      const uint64_t begin = std::min<uint64_t>(header_.payload_offset + block * BlockGuard::kBlockBytes, bytes_.size());  // about
      MappedFile::fetch(bytes_.substr(begin, 2 * kGrain * BlockGuard::kBlockBytes));
    }
    (of_names ? names_guard() : guard()).check(section.data() + (block - (of_names ? payload_blocks : 0)) * BlockGuard::kBlockBytes, 1);
  });
  check();
}

}  // namespace neardup
