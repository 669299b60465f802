#include "index/hamming/hamming_image.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "index/hamming_plan/hamming_flips.h"
#include "kernels/kernels.h"
#include "neardup/error.h"

namespace neardup {

template <typename Code>
void HammingImage<Code>::refuse(const std::string& why) const {
  throw Error(ErrorCode::kInput, name_ + ": " + why);
}

template <typename Code>
void HammingImage<Code>::require_radius(uint32_t radius) const {
  if (radius <= plan_.radius) return;
  throw Error(ErrorCode::kUsage,
              "distance " + std::to_string(radius) + " exceeds " + std::to_string(plan_.radius) + ", the maximum of the index");
}

template <typename Code>
uint64_t HammingImage<Code>::flat_padded() const noexcept {
  return (end_.distinct + kernels::kCodeBlock - 1) / kernels::kCodeBlock * kernels::kCodeBlock;
}

template <typename Code>
const char* HammingImage<Code>::section(uint64_t offset, uint64_t bytes, const char* what) const {
  if (offset % kSectionBytes != 0 || offset > end_.bytes || bytes > end_.bytes - offset) {
    refuse(std::string("the ") + what + " (" + std::to_string(bytes) + " bytes at " + std::to_string(offset) +
           ") do not lie in the index of " + std::to_string(end_.bytes) + " bytes");
  }
  return begin_ + offset;
}

template <typename Code>
BucketDirectory HammingImage<Code>::read_counts(const DirectorySection& counts, uint64_t groups, uint64_t items) const {
  if (counts.count_bytes != 1 && counts.count_bytes != 2) refuse("counts of " + std::to_string(counts.count_bytes) + " bytes");
  const auto bytes = static_cast<uint32_t>(counts.count_bytes);
  const char* lines = section(counts.lines, BucketDirectory::lines_for(groups, bytes) * BucketDirectory::kLineBytes, "counts");
  if (counts.spill_count > end_.bytes / 8) refuse("too many spilled counts: " + std::to_string(counts.spill_count));
  const char* spill = section(counts.spill, counts.spill_count * 8, "spilled counts");
  return {lines, {reinterpret_cast<const uint64_t*>(spill), counts.spill_count}, bytes, items};
}

template <typename Code>
HammingImage<Code>::HammingImage(const char* begin, size_t bytes, const BlockGuard* guard, const std::string& name, uint32_t depth)
    : begin_(begin), guard_(guard), name_(name), depth_(depth), order_(std::span<const uint8_t>{}) {
  if (depth >= kMaxNesting) refuse("indexes of hot buckets are nested more than " + std::to_string(kMaxNesting) + " deep");
  if (bytes < sizeof(ImageEnd) || bytes % 8 != 0) refuse(std::to_string(bytes) + " bytes are not an index");
  check(begin + bytes - sizeof(ImageEnd), sizeof(ImageEnd));
  std::memcpy(&end_, begin + bytes - sizeof end_, sizeof end_);
  if (end_.magic != kImageMagic) refuse("no Hamming index ends here");
  if (end_.version != kImageVersion) {
    refuse("Hamming index of version " + std::to_string(end_.version) + ", this program reads version " + std::to_string(kImageVersion));
  }
  if (end_.bits != Code::kBits)
    refuse("the index holds fingerprints of " + std::to_string(end_.bits) + " bits, not of " + std::to_string(Code::kBits));
  if (end_.bytes != bytes) refuse("the index states a size of " + std::to_string(end_.bytes) + " bytes, but has " + std::to_string(bytes));
  constexpr uint64_t kMaxRows = uint64_t{1} << 44;
  if (end_.rows > kMaxRows || end_.distinct > end_.rows || end_.id_bytes > 8 || end_.tables > kMaxHammingBlocks || end_.ordered > 1) {
    refuse("impossible sizes");
  }

  const uint64_t described = end_.tables * sizeof(TableEntry) + (end_.ordered != 0 ? end_.bits : 0) + sizeof(ImageEnd);
  if (described > bytes) refuse("the description of the index does not fit in " + std::to_string(bytes) + " bytes");
  const char* at = begin + bytes - described;
  check(at, described);
  plan_.bits = end_.bits;
  plan_.radius = end_.radius;
  if (end_.ordered != 0) {
    plan_.order.assign(reinterpret_cast<const uint8_t*>(at), reinterpret_cast<const uint8_t*>(at) + end_.bits);
    at += end_.bits;
  }
  std::vector<TableEntry> entries(end_.tables);
  if (!entries.empty()) std::memcpy(entries.data(), at, entries.size() * sizeof(TableEntry));
  for (const TableEntry& entry : entries) plan_.blocks.push_back({entry.begin, entry.width, entry.flips});
  const std::string problem = hamming_plan_problem(plan_);
  if (!problem.empty()) refuse(problem);
  order_ = BitOrder<Word>(plan_.order);
  for (uint32_t radius = 0; radius <= plan_.radius; ++radius) flips_.push_back(hamming_flips(plan_, radius));

  for (const TableEntry& entry : entries) {
    HammingTable<Code> table;
    table.block = {entry.begin, entry.width, entry.flips};
    table.stride = remainder_bytes<Word>(table.block);
    table.remainders = section(entry.remainders, end_.distinct * table.stride + kernels::kPackedSlack, "remainders");
    table.directory = read_counts(entry.directory, uint64_t{1} << entry.width, end_.distinct);
    tables_.push_back(table);
  }
  if (tables_.empty()) {
    const char* words = section(end_.flat, flat_padded() * sizeof(Word), "codes");
    flat_low_ = reinterpret_cast<const uint64_t*>(words);
    if constexpr (Code::kBits == 128) flat_high_ = flat_low_ + flat_padded();
  }
  ids_ = section(end_.ids, end_.id_bytes == 0 ? 0 : end_.rows * end_.id_bytes + kIdSlack, "ids");
  if (end_.id_counts.count_bytes != 0) {
    id_counts_ = read_counts(end_.id_counts, end_.distinct, end_.rows);
  } else if (end_.rows != end_.distinct) {
    refuse(std::to_string(end_.rows) + " entries with " + std::to_string(end_.distinct) + " fingerprints, and no counts of them");
  }
  if (end_.hot_count > end_.bytes / sizeof(HotBucket)) refuse("too many hot buckets: " + std::to_string(end_.hot_count));
  hot_ = {reinterpret_cast<const HotBucket*>(section(end_.hot, end_.hot_count * sizeof(HotBucket), "hot buckets")), end_.hot_count};
  check(hot_.data(), hot_.size_bytes());
  nested_ = std::vector<std::atomic<const HammingImage*>>(hot_.size());
}

template <typename Code>
HammingImage<Code>::~HammingImage() {
  for (auto& image : nested_) delete image.load();
}

template <typename Code>
const HammingImage<Code>* HammingImage<Code>::nested(size_t table, uint64_t prefix) const {
  const auto found = std::lower_bound(hot_.begin(), hot_.end(), prefix, [&](const HotBucket& hot, uint64_t wanted) {
    return hot.table != table ? hot.table < table : hot.prefix < wanted;
  });
  if (found == hot_.end() || found->table != table || found->prefix != prefix) return nullptr;
  std::atomic<const HammingImage*>& slot = nested_[static_cast<size_t>(found - hot_.begin())];
  const HammingImage* made = slot.load(std::memory_order_acquire);
  if (made != nullptr) return made;
  auto image =
      std::make_unique<HammingImage>(section(found->image, found->bytes, "codes of a hot bucket"), found->bytes, guard_, name_, depth_ + 1);
  if (image->plan().radius < plan_.radius) refuse("the index of a hot bucket covers only distance " + std::to_string(image->plan().radius));
  if (slot.compare_exchange_strong(made, image.get(), std::memory_order_acq_rel)) made = image.release();
  return made;
}

template <typename Code>
std::optional<uint64_t> HammingImage<Code>::find(Word word) const {
  if (tables_.empty()) {
    uint64_t begin = 0;
    for (uint64_t count = end_.distinct; count > 0;) {
      const uint64_t half = count / 2;
      check(flat_low_ + begin + half, 8);
      if constexpr (Code::kBits > 64) check(flat_high_ + begin + half, 8);
      if (flat_word(begin + half) < word) {
        begin += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    if (begin < end_.distinct && flat_word(begin) == word) return begin;
    return std::nullopt;
  }
  const HammingTable<Code>& table = tables_[0];
  const Word wanted = remainder_of(word, table.block);
  const ItemRange found = bucket(table, prefix_of(word, table.block));
  uint64_t begin = found.begin;
  for (uint64_t end = found.end; begin < end;) {
    const uint64_t middle = begin + (end - begin) / 2;
    check(table.entry(middle), sizeof(Word));
    if (table.remainder(middle) < wanted) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  if (begin == found.end) return std::nullopt;
  check(table.entry(begin), sizeof(Word));
  return table.remainder(begin) == wanted ? std::optional(begin) : std::nullopt;
}

template <typename Code>
uint64_t HammingImage<Code>::require(Word word) const {
  const auto position = find(word);
  if (!position) refuse("a table holds a code that the first table lacks: the index is damaged");
  return *position;
}

template <typename Code>
CodeWord<Code> HammingImage<Code>::word(uint64_t position) const {
  if (tables_.empty()) {
    check(flat_low_ + position, 8);
    if constexpr (Code::kBits > 64) check(flat_high_ + position, 8);
    return flat_word(position);
  }
  const HammingTable<Code>& table = tables_[0];
  uint64_t prefix = 0;  // the last bucket that begins at or before the position, and is not empty
  for (uint64_t step = uint64_t{1} << table.block.width; step > 0; step /= 2) {
    if (prefix + step < uint64_t{1} << table.block.width && bucket(table, prefix + step).begin <= position) prefix += step;
  }
  check(table.entry(position), sizeof(Word));
  return join_parts(prefix, table.remainder(position), table.block);
}

template class HammingImage<Fingerprint64>;
template class HammingImage<Fingerprint128>;

}  // namespace neardup
