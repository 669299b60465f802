#include "store/segment_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "neardup/error.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

template <typename T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

}  // namespace

// The hash of the block that is being written.
struct SegmentWriter::BlockHash {
  BlockHash() { XXH3_64bits_reset(&state); }
  XXH3_state_t state{};  // 64-byte aligned by its type
  uint64_t bytes = 0;
};

SegmentWriter::SegmentWriter(const std::string& path, const SegmentInfo& info)
    : file_(path), recipe_(info.recipe), block_(std::make_unique<BlockHash>()) {
  if (info.kind.size() > header_.kind.size() || recipe_.size() > segment::kMaxRecipe) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}': a kind of {} bytes and a recipe of {}; expected at most {} and {}", path,
                                               info.kind.size(), recipe_.size(), header_.kind.size(), segment::kMaxRecipe));
  }
  std::copy(segment::kMagic.begin(), segment::kMagic.end(), header_.magic.begin());
  std::copy(info.kind.begin(), info.kind.end(), header_.kind.begin());
  header_.byte_order = segment::kByteOrder;
  header_.version = segment::kVersion;
  header_.bits = info.bits;
  header_.recipe_id = info.recipe_id;
  header_.recipe_bytes = recipe_.size();
  header_.entries = info.entries;
  place_sections(header_);
  // Zeros until everything else is written: an incomplete file is not a segment.
  file_.append(std::string(header_.payload_offset, '\0'));
}

SegmentWriter::~SegmentWriter() = default;

void SegmentWriter::append(std::string_view bytes) {
  file_.append(bytes);
  (in_names_ ? header_.names_bytes : header_.payload_bytes) += bytes.size();
  while (!bytes.empty()) {
    const size_t part = std::min<size_t>(bytes.size(), BlockGuard::kBlockBytes - block_->bytes);
    XXH3_64bits_update(&block_->state, bytes.data(), part);
    block_->bytes += part;
    bytes.remove_prefix(part);
    if (block_->bytes != BlockGuard::kBlockBytes) continue;
    end_section();
    check_stop();  // large files take seconds
  }
}

// Closes the current block, if any.
void SegmentWriter::end_section() {
  if (block_->bytes == 0) return;
  hashes_.push_back(XXH3_64bits_digest(&block_->state));
  XXH3_64bits_reset(&block_->state);
  block_->bytes = 0;
}

void SegmentWriter::pad(uint64_t offset) {
  file_.append(std::string(offset - file_.size(), '\0'));
}

void SegmentWriter::begin_names() {
  end_section();
  place_sections(header_);
  pad(header_.names_offset);
  in_names_ = true;
}

void SegmentWriter::commit() {
  if (!in_names_) begin_names();
  end_section();
  place_sections(header_);
  pad(header_.hashes_offset);
  const std::string_view hashes(reinterpret_cast<const char*>(hashes_.data()), hashes_.size() * sizeof(uint64_t));
  file_.append(hashes);

  header_.sum = hash64(std::string(bytes_of(header_).substr(0, offsetof(segment::Header, sum))) + recipe_);
  const uint64_t parts[] = {header_.sum, hash64(hashes)};
  sum_ = hash64({reinterpret_cast<const char*>(parts), sizeof parts});
  segment::Footer footer{header_.file_bytes, sum_, {}};
  std::copy(segment::kEndMagic.begin(), segment::kEndMagic.end(), footer.magic.begin());
  file_.append(bytes_of(footer));
  file_.overwrite(sizeof(header_), recipe_);
  file_.overwrite(0, bytes_of(header_));
  file_.commit();
}

}  // namespace neardup
