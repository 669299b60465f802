#include "dedup/corpus/rejected_records.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace neardup {
namespace {

constexpr uint32_t kWordBits = 64;

uint32_t ones(uint64_t word) noexcept {
  return static_cast<uint32_t>(std::popcount(word));
}

}  // namespace

void RejectedRecords::clear() noexcept {
  bits_.clear();
  before_.clear();
  count_ = 0;
}

void RejectedRecords::add(uint32_t record) {
  const size_t word = record / kWordBits;
  if (word >= bits_.size()) {
    bits_.resize(word + 1);
    before_.resize(word + 1, count_);
  }
  bits_[word] |= uint64_t{1} << (record % kWordBits);
  ++count_;
}

bool RejectedRecords::contains(uint32_t record) const noexcept {
  const size_t word = record / kWordBits;
  return word < bits_.size() && (bits_[word] >> (record % kWordBits) & 1) != 0;
}

uint32_t RejectedRecords::before(uint32_t record) const noexcept {
  const size_t word = record / kWordBits;
  if (word >= bits_.size()) return count_;
  return before_[word] + ones(bits_[word] & ((uint64_t{1} << (record % kWordBits)) - 1));
}

uint32_t RejectedRecords::record_of(uint32_t document) const noexcept {
  if (before_.empty()) return document;
  // The last word that begins at or before the document; the number of documents before a word, w * 64 - before_[w], never decreases.
  size_t word = 0;
  for (size_t step = std::bit_ceil(before_.size() + 1); step > 0; step /= 2) {
    const size_t next = word + step;
    if (next < before_.size() && next * kWordBits - before_[next] <= document) word = next;
  }
  // From there record by record: the bits of at most one word matter, and nothing after the last word is rejected.
  auto record = static_cast<uint32_t>(word * kWordBits);
  uint32_t left = document - (record - before_[word]);
  for (uint64_t rest = bits_[word]; rest != 0 || left > 0; rest >>= 1, ++record) {
    if ((rest & 1) != 0) continue;
    if (left == 0) break;
    if (rest == 0) return record + left;
    --left;
  }
  return record;
}

void RejectedRecords::assign(std::vector<uint64_t> bits) {
  bits_ = std::move(bits);
  before_.clear();
  count_ = 0;
  for (const uint64_t word : bits_) {
    before_.push_back(count_);
    count_ += ones(word);
  }
}

}  // namespace neardup
