#include "index/hamming/key_chunk.h"

#include <algorithm>

namespace neardup {

template <typename Code>
void KeyChunk<Code>::load(const HammingImage<Code>& image, const HammingTable<Code>& table, uint64_t first, uint32_t count) {
  first_ = first;
  buckets_ = count;
  starts_.resize(count + 1);
  big_.clear();
  begin_ = at_ = image.bucket(table, first).begin;
  outside_ = 0;
  const uint64_t end = image.bucket(table, first + count - 1).end;
  lanes_ = end - begin_ > 4 * uint64_t{count} ? 16 : 8;
  read_starts(image, table);

  keys_.reserve(size());
  const auto unpack = kernels::kernels().unpack_keys;
  uint32_t bucket = 0;
  uint64_t position = begin_;
  for (size_t b = 0; b <= big_.size(); ++b) {  // what lies between the big buckets
    const uint32_t last = b < big_.size() ? static_cast<uint32_t>(big_[b].prefix - first) : count;
    const uint64_t codes = begin(last) - begin(bucket);
    if (codes != 0) {
      image.check(table.entry(position), codes * table.stride);
      unpack(table.entry(position), table.stride, {starts_.data() + bucket, last - bucket, lanes_}, first + bucket, table.block.width,
             keys_.low(begin(bucket)), keys_.high(begin(bucket)));
    }
    if (b == big_.size()) break;
    bucket = last + 1;
    position = big_[b].codes.end;
  }
}

template <typename Code>
void KeyChunk<Code>::read_starts(const HammingImage<Code>& image, const HammingTable<Code>& table) {
  const CountLines& counts = table.directory;
  const uint64_t end = first_ + buckets_;
  for (uint64_t bucket = first_; bucket < end;) {
    const CountLines::Slot slot = counts.slot(bucket);
    const uint64_t next = std::min(end, bucket - slot.place + CountLines::groups_per_line(counts.count_bytes()));
    image.check(slot.line, CountLines::kLineBytes);
    uint64_t base = 0;
    __builtin_memcpy(&base, slot.line, sizeof base);
    if ((base & CountLines::kSpilled) != 0) {
      for (; bucket < next; ++bucket) {
        const CountRange range = image.bucket(table, bucket);
        add_bucket(image, bucket, range.begin == at_ ? range.end - range.begin : UINT64_MAX);
      }
    } else if (counts.count_bytes() == 1) {
      read_line<uint8_t>(image, slot, base, bucket, next);
    } else {
      read_line<uint16_t>(image, slot, base, bucket, next);
    }
    if (at_ > image.distinct()) image.refuse("the counts of a table contradict one another: the index is damaged");
    bucket = next;
  }
  starts_[buckets_] = static_cast<uint32_t>(2 * (at_ - begin_ - outside_));
}

// A line as CountLines::range() reads it, many buckets at once.
template <typename Code>
template <typename Count>
void KeyChunk<Code>::read_line(const HammingImage<Code>& image, CountLines::Slot slot, uint64_t base, uint64_t bucket, uint64_t end) {
  const char* counts = slot.line + 8 + slot.place * sizeof(Count);
  Count before;  // of the first bucket of the line: the top of the base, a zero
  __builtin_memcpy(&before, counts - sizeof before, sizeof before);
  if (base + before != at_) add_bucket(image, bucket, UINT64_MAX);
  if (kernels::kernels().bucket_starts(counts, sizeof(Count), end - bucket, static_cast<uint32_t>(base - begin_ - outside_), lanes_,
                                       kBigBucket, &starts_[bucket - first_])) {
    Count count;
    __builtin_memcpy(&count, counts + (end - bucket - 1) * sizeof(Count), sizeof count);
    at_ = base + count;
    return;
  }
  for (; bucket < end; ++bucket, counts += sizeof(Count)) {
    Count count;
    __builtin_memcpy(&count, counts, sizeof count);
    add_bucket(image, bucket, base + count - at_);
  }
}

template <typename Code>
inline void KeyChunk<Code>::add_bucket(const HammingImage<Code>& image, uint64_t bucket, uint64_t size) {
  const auto start = static_cast<uint32_t>(2 * (at_ - begin_ - outside_));
  starts_[bucket - first_] = start | uint32_t{size > lanes_};
  if (size > kBigBucket) [[unlikely]] {
    if (at_ > image.distinct() || size > image.distinct() - at_) {
      image.refuse("the counts of a table contradict one another: the index is damaged");
    }
    starts_[bucket - first_] = start;
    big_.push_back({bucket, {at_, at_ + size}});
    outside_ += size;
  }
  at_ += size;
}

template <typename Code>
uint64_t KeyChunk<Code>::position(uint32_t key) const noexcept {
  uint64_t position = begin_ + key;
  for (const KeyBucket& bucket : big_) {
    if (position < bucket.codes.begin) break;
    position += bucket.size();
  }
  return position;
}

template class KeyChunk<Fingerprint64>;
template class KeyChunk<Fingerprint128>;

}  // namespace neardup
