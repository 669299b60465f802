#include "index/anchors/anchor_image_writer.h"

#include <algorithm>
#include <bit>
#include <span>

#include "base/bit_codec.h"
#include "index/anchors/anchor_format.h"
#include "index/anchors/posting_run.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using namespace anchor_format;

constexpr size_t kFlushBytes = size_t{1} << 16;

void append_low_bytes(std::string& out, uint64_t value, size_t bytes) {
  char all[sizeof value];
  std::memcpy(all, &value, sizeof value);
  out.append(all, bytes);
}

// See AnchorImageWriter::starts_.
void append_distance(std::string& out, uint64_t distance) {
  for (; distance >= 0x80; distance >>= 7) out.push_back(static_cast<char>(distance & 0x7F));
  out.push_back(static_cast<char>(distance | 0x80));
}
uint64_t take_distance(const char*& at) noexcept {
  uint64_t distance = 0;
  for (uint32_t shift = 0;; shift += 7) {
    const auto byte = static_cast<uint8_t>(*at++);
    distance |= uint64_t{byte & 0x7Fu} << shift;
    if (byte >= 0x80) return distance;
  }
}

}  // namespace

AnchorImageWriter::AnchorImageWriter(ByteSink& sink, uint64_t expected_postings)
    : sink_(sink), bucket_bits_(bucket_bits_for(expected_postings)) {
  current_.reserve(kBlockPostings);
}

void AnchorImageWriter::flush() {
  if (out_.empty()) return;
  sink_.append(out_);
  flushed_ += out_.size();
  out_.clear();
}

void AnchorImageWriter::begin_list(uint64_t hash) {
  end_list();
  const uint64_t bucket = hash >> (kAnchorHashBits - bucket_bits_);
  if (bucket != bucket_number_) end_buckets(bucket);
  hash_ = hash;
}

// More than a block of one hash: a long list, whose blocks are written before its bucket.
void AnchorImageWriter::put_full_block() {
  if (block_lasts_.empty()) blocks_begin_ = here();
  BitWriter bits(out_);
  put_block(bits, current_, block_lasts_.empty() ? 0 : block_lasts_.back());
  bits.flush();
  const uint64_t end = here() - blocks_begin_;
  if (end > kMaxListBytes)
    throw Error(ErrorCode::kResource, "more than " + std::to_string(kMaxListBytes) + " bytes of texts that share a gram");
  block_lasts_.push_back(current_.back().text);
  block_ends_.push_back(end);
  postings_ += current_.size();
  text_limit_ = std::max(text_limit_, uint64_t{current_.back().text} + 1);
  current_.clear();
  if (out_.size() >= kFlushBytes) flush();
}

void AnchorImageWriter::end_list() {
  if (current_.empty()) return;
  ++lists_;
  if (block_lasts_.empty() && current_.size() < kBlockPostings) {
    bucket_.push_back({hash_, current_.size(), bucket_postings_.size()});
    bucket_postings_.insert(bucket_postings_.end(), current_.begin(), current_.end());
    bucket_text_ = std::max(bucket_text_, current_.back().text);
    postings_ += current_.size();
    text_limit_ = std::max(text_limit_, uint64_t{current_.back().text} + 1);
    current_.clear();
    return;
  }
  const uint64_t count = block_lasts_.size() * kBlockPostings + current_.size();
  put_full_block();
  bucket_.push_back({hash_, count, here()});
  for (const uint32_t last : block_lasts_) append_low_bytes(out_, last, kLastBytes);
  for (const uint64_t end : block_ends_) append_low_bytes(out_, end, kEndBytes);
  block_lasts_.clear();
  block_ends_.clear();
}

void AnchorImageWriter::end_buckets(uint64_t next) {
  for (; bucket_number_ < next; ++bucket_number_) put_bucket();
}

void AnchorImageWriter::put_bucket() {
  append_distance(starts_, here() - last_start_);
  last_start_ = here();
  BitWriter bits(out_);
  bits.put_gamma(bucket_.size() + 1);
  if (!bucket_.empty()) {
    const TextScale scale = TextScale::of(bucket_text_);
    bits.put(scale.bits(), kTextScaleBits);
    const uint32_t k = gap_parameter(bucket_bits_, bucket_.size());
    uint64_t next = bucket_number_ << (kAnchorHashBits - bucket_bits_);  // the least hash that the list can have
    for (const List& list : bucket_) {
      bits.put_rice(list.hash - next, k);
      next = list.hash + 1;
      bits.put_gamma(list.count);
    }
    for (const List& list : bucket_) {
      if (list.count >= kBlockPostings) {
        bits.put(list.place, kOffsetBits);
      } else {
        put_list(bits, {bucket_postings_.data() + list.place, list.count}, scale);
      }
    }
  }
  bits.flush();
  bucket_.clear();
  bucket_postings_.clear();
  bucket_text_ = 0;
  if (out_.size() >= kFlushBytes) flush();
}

void AnchorImageWriter::put_starts() {
  const uint64_t groups = groups_for(bucket_bits_);
  const uint64_t offsets = (uint64_t{1} << bucket_bits_) + 1;
  append_distance(starts_, here() - last_start_);  // the end of the last bucket
  Trailer trailer{.postings = postings_, .lists = lists_, .text_limit = text_limit_, .directory = here(), .bucket_bits = bucket_bits_};

  // The width of the distances first: that of the greatest one.
  uint64_t widest = 0;
  const char* at = starts_.data();
  uint64_t start = 0;
  uint64_t first = 0;
  for (uint64_t i = 0; i < offsets; ++i) {
    start += take_distance(at);
    if (i % kGroupOffsets == 0) first = start;
    widest = std::max(widest, start - first);
  }
  trailer.offset_bits = static_cast<uint32_t>(std::bit_width(widest));
  if (trailer.offset_bits > kMaxDirectoryBits)
    throw Error(ErrorCode::kResource, "an index of " + std::to_string(here()) + " bytes of anchors");

  at = starts_.data();
  start = 0;
  for (uint64_t group = 0; group < groups; ++group) {
    BitWriter bits(out_);
    for (uint64_t i = 0; i < kGroupOffsets; ++i) {
      if (group * kGroupOffsets + i < offsets) start += take_distance(at);
      if (i == 0) {
        first = start;
        append_low_bytes(out_, start, sizeof start);
      }
      bits.put(start - first, trailer.offset_bits);
    }
    bits.flush();
    if (out_.size() >= kFlushBytes) flush();
  }
  trailer.bytes = here() + sizeof trailer;
  out_.append(reinterpret_cast<const char*>(&trailer), sizeof trailer);
}

void AnchorImageWriter::finish() {
  end_list();
  end_buckets(uint64_t{1} << bucket_bits_);
  put_starts();
  flush();
}

}  // namespace neardup
