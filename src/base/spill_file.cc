#include "base/spill_file.h"

#include <algorithm>

#include "base/raw_vector.h"

namespace neardup {

void SpillFile::spill() {
  if (!file_) file_.emplace(temp_dir_);
  file_->append(waiting_.data(), waiting_.size());
  waiting_.reset(0);
}

std::string_view SpillFile::bytes() {
  if (!file_) return {waiting_.data(), waiting_.size()};
  if (!mapping_) {
    spill();
    waiting_.shrink();
    if (file_->size() == 0) return {};  // which cannot be mapped
    mapping_.emplace(*file_);
  }
  return mapping_->bytes();
}

void SpillFile::move_to(ByteSink& sink) {
  constexpr uint64_t kChunk = 1 << 20;
  if (file_) {
    RawVector<char> chunk(kChunk);
    for (uint64_t at = 0; at < file_->size(); at += chunk.size()) {
      chunk.resize(std::min<uint64_t>(kChunk, file_->size() - at));
      file_->read(at, chunk.data(), chunk.size());
      sink.append(view_of(chunk));
    }
    mapping_.reset();  // it would keep the bytes and their disk space
    file_.reset();
  }
  sink.append({waiting_.data(), waiting_.size()});
  waiting_.reset(0);
  waiting_.shrink();
}

void SpillBlocks::append(Block block) {
  if (used_bytes_ + block.size() > memory_bytes_) return spill(block);
  used_bytes_ += block.size();
  block.shrink_to_fit();
  blocks_.push_back({.bytes = std::move(block)});
}

void SpillBlocks::spill(const Block& block) {
  if (!file_) file_.emplace(temp_dir_);
  const uint64_t offset = file_->size();
  file_->append(block.data(), block.size());
  blocks_.push_back({.bytes = {}, .offset = offset, .spilled = true});
}

std::span<const uint8_t> SpillBlocks::read(size_t block, uint64_t begin, size_t bytes, Block& space) const {
  const Stored& stored = blocks_[block];
  if (!stored.spilled) return {stored.bytes.data() + begin, bytes};
  space.resize(bytes);
  file_->read(stored.offset + begin, space.data(), bytes);
  return space;
}

}  // namespace neardup
