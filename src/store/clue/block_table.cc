#include "store/clue/block_table.h"

#include <fmt/format.h>
#include <zstd.h>

#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using block_table::Trailer;

constexpr size_t kMaxKeptBytes = size_t{1} << 20;  // a scratch returns the memory of longer records

uint32_t width_of(uint64_t largest) noexcept {
  return static_cast<uint32_t>(std::bit_width(largest));
}

// Takes a length off the front of [at, end); nullptr if it is cut off or too large.
const char* take_length(const char* at, const char* end, uint64_t& length) noexcept {
  constexpr uint32_t kMaxShift = 28;
  length = 0;
  for (uint32_t shift = 0; at != end && shift <= kMaxShift; shift += 7) {
    const auto byte = static_cast<uint8_t>(*at++);
    length |= uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return at;
  }
  return nullptr;
}

}  // namespace

struct BlockTable::Scratch::Decompressor {
  Decompressor() : state(ZSTD_createDCtx()) {
    if (state == nullptr) throw std::bad_alloc();
  }
  ~Decompressor() { ZSTD_freeDCtx(state); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  ZSTD_DCtx* const state;
};

BlockTable::Scratch::Scratch() = default;
BlockTable::Scratch::~Scratch() = default;
BlockTable::Scratch::Scratch(Scratch&&) noexcept = default;
BlockTable::Scratch& BlockTable::Scratch::operator=(Scratch&&) noexcept = default;

BlockTable::BlockTable(std::string_view bytes, const BlockGuard* guard, std::string name)
    : bytes_(bytes), guard_(guard), name_(std::move(name)) {
  static std::atomic<uint64_t> views{0};
  number_ = ++views;
  if (bytes.size() < sizeof(Trailer) || bytes.size() % 8 != 0) refuse();
  const char* const trailer = bytes.data() + bytes.size() - sizeof(Trailer);
  if (guard_ != nullptr) guard_->check(trailer, sizeof(Trailer));
  std::memcpy(&trailer_, trailer, sizeof(Trailer));
  // Each block has a record; bounds first, so that no sum overflows.
  const auto [records, blocks, block_bytes] = trailer_;
  if (records > kMaxRecords || blocks > records || (blocks == 0) != (records == 0) || block_bytes > bytes.size()) refuse();
  const uint64_t padded = (block_bytes + 7) / 8 * 8;
  const uint64_t firsts = PackedNumbers::bytes_for(blocks + 1, width_of(records));
  const uint64_t offsets = PackedNumbers::bytes_for(blocks + 1, width_of(block_bytes));
  if (padded + firsts + offsets + sizeof(Trailer) != bytes.size()) refuse();
  firsts_ = {bytes.data() + padded, width_of(records), guard};
  offsets_ = {bytes.data() + padded + firsts, width_of(block_bytes), guard};
}

void BlockTable::refuse() const {
  throw Error(ErrorCode::kInput, name_ + " are damaged");
}

void BlockTable::refuse_block(uint64_t i) const {
  throw Error(ErrorCode::kInput, fmt::format("{} are damaged in block {} of {}", name_, i, trailer_.blocks));
}

BlockTable::Block BlockTable::block(uint64_t i) const {
  const uint64_t first = firsts_[i];
  const uint64_t end = firsts_[i + 1];
  const uint64_t begin_byte = offsets_[i];
  const uint64_t end_byte = offsets_[i + 1];
  if (first >= end || end > trailer_.records || begin_byte >= end_byte || end_byte > trailer_.block_bytes) refuse_block(i);
  return {static_cast<uint32_t>(first), static_cast<uint32_t>(end), bytes_.substr(begin_byte, end_byte - begin_byte)};
}

uint64_t BlockTable::block_of(uint32_t record) const {
  // Blocks have about equal numbers of records, so the search begins close to the block, mostly within one verified part of the file.
  const uint64_t guess = uint64_t{record} * trailer_.blocks / trailer_.records;
  const uint64_t after = first_false(0, trailer_.blocks, guess, [&](uint64_t i) { return firsts_[i] <= record; });
  if (after == 0 || firsts_[after] <= record) refuse();  // numbers of another order
  return after - 1;
}

uint64_t BlockTable::raw_bytes(uint64_t i, const Block& block) const {
  const unsigned long long bytes = ZSTD_getFrameContentSize(block.bytes.data(), block.bytes.size());
  // The two values that mean failure are the largest, so they are above the bound.
  const bool single = block.end - block.first == 1;
  if (bytes > (single ? limits::kMaxTextBytes : block_table::kMaxBlock)) refuse_block(i);
  return bytes;
}

bool BlockTable::stands_alone(uint64_t i) const {
  const auto is_long = [&](uint64_t at) {
    const Block block = this->block(at);
    if (block.end - block.first != 1) return false;
    check(block);
    return raw_bytes(at, block) > block_table::kLongRecord;
  };
  if (is_long(i)) return true;
  // What follows ended the block: nothing, or a long record.
  return i + 1 < trailer_.blocks && !is_long(i + 1);
}

void BlockTable::decompress(uint64_t i, const Block& block, Scratch& scratch, char* to, size_t bytes) const {
  if (!scratch.decompressor_) scratch.decompressor_ = std::make_unique<Scratch::Decompressor>();
  const size_t done = ZSTD_decompressDCtx(scratch.decompressor_->state, to, bytes, block.bytes.data(), block.bytes.size());
  if (done != bytes) refuse_block(i);  // errors are larger than any size
}

// Decompresses a block into the scratch.
void BlockTable::load(uint64_t i, Scratch& scratch) const {
  const Block block = this->block(i);
  check(block);
  const uint64_t bytes = raw_bytes(i, block);
  const uint32_t records = block.end - block.first;
  if (records - 1 > bytes) refuse_block(i);  // each length takes a byte
  scratch.table_ = 0;                        // until it is complete
  if (scratch.bytes_.capacity() > kMaxKeptBytes && bytes <= kMaxKeptBytes) RawVector<char>().swap(scratch.bytes_);
  scratch.bytes_.resize(bytes);
  decompress(i, block, scratch, scratch.bytes_.data(), bytes);

  const char* const begin = scratch.bytes_.data();
  const char* at = begin;
  scratch.ends_.resize(records);
  uint64_t end = 0;  // in the bytes of the records
  for (uint32_t record = 0; record + 1 < records; ++record) {
    uint64_t length = 0;
    at = take_length(at, begin + bytes, length);
    end += length;
    if (at == nullptr || end > bytes) refuse_block(i);
    scratch.ends_[record] = static_cast<uint32_t>(end);
  }
  const auto lengths = static_cast<uint64_t>(at - begin);
  if (end > bytes - lengths) refuse_block(i);
  scratch.ends_[records - 1] = static_cast<uint32_t>(bytes - lengths);
  scratch.begin_ = static_cast<uint32_t>(lengths);
  scratch.first_ = block.first;
  scratch.table_ = number_;
}

void BlockTable::verify(uint32_t threads) const {
  if (trailer_.blocks == 0) return;
  // Each block ends where the next one begins, so they hold all records if the numbers begin and end right.
  const uint64_t blocks = trailer_.blocks;
  if (firsts_[0] != 0 || offsets_[0] != 0 || firsts_[blocks] != trailer_.records || offsets_[blocks] != trailer_.block_bytes) refuse();
  threads = resolve_threads(threads);
  std::vector<Scratch> scratch(threads);
  parallel_for(threads, blocks, 8, [&](uint32_t worker, size_t i) { load(i, scratch[worker]); });
}

std::string_view BlockTable::view(uint32_t record, Scratch& scratch) const {
  const bool kept = scratch.table_ == number_ && record >= scratch.first_ && record - scratch.first_ < scratch.ends_.size();
  if (!kept) load(block_of(record), scratch);
  const uint64_t place = record - scratch.first_;
  const uint32_t begin = place == 0 ? 0 : scratch.ends_[place - 1];
  return view_of(scratch.bytes_).substr(scratch.begin_ + begin, scratch.ends_[place] - begin);
}

void BlockTable::read(uint32_t record, std::string& out, Scratch& scratch) const {
  out.assign(view(record, scratch));
}

}  // namespace neardup
