#include "store/clue/block_table_writer.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "base/hash.h"
#include "base/limits.h"
#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using namespace block_table;

// Measured on blocks of pieces of 60 to 340 bytes, and of 700 to 1300 (Chinese and English, ratio; MB/s to compress; us to decompress):
// level 1: 0.64 0.49, 0.57 0.45; 200 to 215; 18 to 21. Level 3: 0.62 0.48, 0.55 0.43; 170 to 190; 19 to 21. Level 6: 0.59 0.46, 0.52 0.42;
// 75 to 85; 20 to 22.
constexpr int kLevel = 2;
constexpr uint64_t kDirectoryMemory = uint64_t{4} << 20;
constexpr uint64_t kWaitingBytes = uint64_t{1} << 20;  // of each thread
constexpr size_t kWaitingBlocks = 32;                  // of each thread

struct DirectoryEntry {
  uint64_t first;
  uint64_t offset;
};

void append_length(std::string& out, uint64_t length) {
  for (; length >= 0x80; length >>= 7) out.push_back(static_cast<char>(length | 0x80));
  out.push_back(static_cast<char>(length));
}

uint64_t bytes_of_length(uint64_t length) noexcept {
  return (static_cast<uint64_t>(std::bit_width(length | 1)) + 6) / 7;
}

// Whether a block of this size ends after this record, which adds `size` to it. Beyond kMinBlock, each byte ends it with the same
// probability, so that two tables in which most records are equal have most blocks in common.
bool block_ends(uint64_t block_size, std::string_view record, uint64_t size) noexcept {
  constexpr uint64_t kSpread = kFullBlock - kMinBlock;  // bytes to the next end, on average
  if (block_size >= kFullBlock) return true;
  return block_size >= kMinBlock && (hash64(record) >> 32) * kSpread < size << 32;
}

}  // namespace

struct BlockTableWriter::Compressor {
  Compressor() : state(ZSTD_createCCtx()) {
    if (state == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(state, ZSTD_c_compressionLevel, kLevel);
  }
  ~Compressor() { ZSTD_freeCCtx(state); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  ZSTD_CCtx* const state;
};

BlockTableWriter::BlockTableWriter(ByteSink& sink, uint32_t threads, const std::string& temp_dir)
    : sink_(sink), directory_(kDirectoryMemory, temp_dir) {
  for (uint32_t i = 0; i < std::max(threads, 1u); ++i) compressors_.push_back(std::make_unique<Compressor>());
}

BlockTableWriter::~BlockTableWriter() = default;

void BlockTableWriter::add(std::string_view record) {
  if (record.size() > limits::kMaxTextBytes) {
    throw Error(ErrorCode::kUsage, fmt::format("a record of {} bytes; expected at most {}", record.size(), limits::kMaxTextBytes));
  }
  if (records_ == BlockTable::kMaxRecords) {
    throw Error(ErrorCode::kUsage, fmt::format("too many records for one segment; expected at most {}", BlockTable::kMaxRecords));
  }
  const bool is_long = record.size() > kLongRecord;
  if (is_long) end_block();
  if (block_records_ != 0) append_length(lengths_, last_length_);
  texts_.append(record);
  last_length_ = record.size();
  const uint64_t size = record.size() + bytes_of_length(record.size());
  block_size_ += size;
  ++block_records_;
  ++records_;
  if (is_long || block_ends(block_size_, record, size)) end_block();
}

void BlockTableWriter::append(const BlockTable& table, uint32_t begin, uint32_t end, BlockTable::Scratch& scratch) {
  while (begin < end) {
    const uint64_t number = table.block_of(begin);
    const BlockTable::Block block = table.block(number);
    if (block_records_ == 0 && block.first == begin && block.end <= end && table.stands_alone(number) &&
        block.end - begin <= BlockTable::kMaxRecords - records_) {
      table.check(block);
      Block copy{.raw = {}, .compressed = std::string(block.bytes), .first = records_};
      records_ += block.end - begin;
      ++copied_blocks_;
      wait(std::move(copy));
      begin = block.end;
      continue;
    }
    for (const uint32_t last = std::min(block.end, end); begin < last; ++begin) add(table.view(begin, scratch));
  }
}

void BlockTableWriter::end_block() {
  if (block_records_ == 0) return;
  Block block{.raw = std::move(lengths_), .compressed = {}, .first = records_ - block_records_};
  if (block.raw.empty())
    block.raw.swap(texts_);
  else
    block.raw.append(texts_);
  lengths_.clear();
  texts_.clear();
  block_records_ = 0;
  block_size_ = 0;
  wait(std::move(block));
}

void BlockTableWriter::wait(Block block) {
  waiting_bytes_ += block.raw.size() + block.compressed.size();
  waiting_.push_back(std::move(block));
  const size_t threads = compressors_.size();
  if (threads == 1 || waiting_.size() == kWaitingBlocks * threads || waiting_bytes_ >= kWaitingBytes * threads) write_waiting();
}

void BlockTableWriter::compress(Block& block, Compressor& compressor) const {
  if (!block.compressed.empty()) return;
  block.compressed.resize(ZSTD_compressBound(block.raw.size()));
  const size_t bytes =
      ZSTD_compress2(compressor.state, block.compressed.data(), block.compressed.size(), block.raw.data(), block.raw.size());
  if (ZSTD_isError(bytes) != 0) throw std::bad_alloc();  // the only way to fail with room for the worst case
  block.compressed.resize(bytes);
}

void BlockTableWriter::write_waiting() {
  parallel_for(static_cast<uint32_t>(compressors_.size()), waiting_.size(), 1,
               [&](uint32_t worker, size_t i) { compress(waiting_[i], *compressors_[worker]); });
  for (const Block& block : waiting_) {
    directory_.add(DirectoryEntry{block.first, bytes_});
    put(block.compressed);
  }
  blocks_ += waiting_.size();
  waiting_.clear();
  waiting_bytes_ = 0;
}

void BlockTableWriter::put(std::string_view bytes) {
  sink_.append(bytes);
  bytes_ += bytes.size();
}

void BlockTableWriter::finish() {
  end_block();
  write_waiting();
  const uint64_t block_bytes = bytes_;
  put(std::string((8 - block_bytes % 8) % 8, '\0'));
  const auto entries = directory_.values<DirectoryEntry>();
  const auto write_packed = [&](uint64_t end, const auto& value_of) {
    const auto width = static_cast<uint32_t>(std::bit_width(end));
    PackedNumberWriter writer(sink_, width);
    for (const DirectoryEntry& entry : entries) writer.add(value_of(entry));
    writer.add(end);
    writer.finish();
    bytes_ += PackedNumbers::bytes_for(blocks_ + 1, width);
  };
  write_packed(records_, [](const DirectoryEntry& entry) { return entry.first; });
  write_packed(block_bytes, [](const DirectoryEntry& entry) { return entry.offset; });
  const Trailer trailer{records_, blocks_, block_bytes};
  put({reinterpret_cast<const char*>(&trailer), sizeof trailer});
}

}  // namespace neardup
