#include "index/anchors/posting_sorter.h"

#include <algorithm>
#include <utility>

namespace neardup {
namespace {

constexpr size_t kMaxChunkRecords = 7281;  // just below 64 KiB
constexpr size_t kMinChunkRecords = 200;
constexpr uint64_t kReadBytes = uint64_t{9} << 17;

// One pass of a radix sort: by a byte of the hash from bit `shift` on, stable.
void radix_pass(const Posting* from, Posting* to, size_t count, uint32_t shift) {
  std::array<uint32_t, 256> places = {};
  for (size_t i = 0; i < count; ++i) ++places[from[i].hash >> shift & 255];
  uint32_t begin = 0;
  for (uint32_t& place : places) begin += std::exchange(place, begin);
  for (size_t i = 0; i < count; ++i) to[places[from[i].hash >> shift & 255]++] = from[i];
}

template <typename Part>
void drop(Part& part) {
  part.chunks.clear();
  part.at = part.end = nullptr;
}

// Records that are sorted by hash -> sorted by all, equal ones once. Returns their number.
size_t finish_order(Posting* records, size_t count) {
  size_t sorted = 1;
  while (sorted < count && records[sorted - 1] < records[sorted]) ++sorted;
  if (sorted >= count) return count;
  for (size_t begin = 0; begin < count;) {
    size_t end = begin + 1;
    bool ascends = true;
    for (; end < count && records[end].hash == records[begin].hash; ++end) ascends = ascends && records[end - 1] <= records[end];
    if (!ascends) stoppable_sort(records + begin, records + end);
    begin = end;
  }
  return static_cast<size_t>(std::unique(records, records + count) - records);
}

}  // namespace

// Three quarters hold records, the rest sorts a part.
PostingSorter::PostingSorter(uint64_t memory_bytes, std::string temp_dir)
    : temp_dir_(std::move(temp_dir)),
      chunk_bytes_(kRecordBytes * std::clamp<size_t>(memory_bytes / 4 * 3 / kParts / 4 / kRecordBytes, kMinChunkRecords, kMaxChunkRecords)),
      free_chunks_(std::max<uint64_t>(memory_bytes / 4 * 3 / chunk_bytes_, kParts + kParts / 2)),
      sort_memory_(std::max<uint64_t>(memory_bytes / 4, uint64_t{1} << 18)) {}

void PostingSorter::make_room(Part& part) {
  check_stop();
  if (spare_.empty() && free_chunks_ == 0) spill();
  if (spare_.empty()) {
    --free_chunks_;
    part.chunks.push_back(std::make_unique_for_overwrite<char[]>(chunk_bytes_));
  } else {
    part.chunks.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  part.at = part.chunks.back().get();
  part.end = part.at + chunk_bytes_;
}

uint64_t PostingSorter::records_in_memory(const Part& part) const noexcept {
  return (part.chunks.size() * chunk_bytes_ - static_cast<size_t>(part.end - part.at)) / kRecordBytes;
}

uint64_t PostingSorter::records_of(uint32_t part) const noexcept {
  uint64_t records = records_in_memory(parts_[part]);
  for (const Extent& extent : extents_[part]) records += extent.records;
  return records;
}

uint64_t PostingSorter::count() const noexcept {
  uint64_t count = 0;
  for (uint32_t part = 0; part < kParts; ++part) count += records_of(part);
  return count;
}

void PostingSorter::spill() {
  if (!file_) {
    file_.emplace(temp_dir_);
    spilled_bins_.assign(size_t{kParts} * kBins, 0);
  }
  for (uint32_t number = 0; number < kParts; ++number) {
    Part& part = parts_[number];
    if (part.chunks.empty()) continue;
    check_stop();
    extents_[number].push_back({file_->size(), records_in_memory(part)});
    for (auto& chunk : part.chunks) {
      const bool last = &chunk == &part.chunks.back();
      const size_t bytes = last ? static_cast<size_t>(part.at - chunk.get()) : chunk_bytes_;
      count_bins(chunk.get(), bytes / kRecordBytes, spilled_bins_.data() + size_t{number} * kBins);
      file_->append(chunk.get(), bytes);
      spare_.push_back(std::move(chunk));
    }
    drop(part);
  }
}

void PostingSorter::count_bins(const char* records, uint64_t count, uint64_t* bins) noexcept {
  for (uint64_t i = 0; i < count; ++i) ++bins[static_cast<uint8_t>(records[i * kRecordBytes + kRecordBytes - 1])];
}

template <typename Visit>
void PostingSorter::for_spilled(uint32_t number, const Visit& visit) {
  for (const Extent& extent : extents_[number]) {
    for (uint64_t done = 0; done < extent.records * kRecordBytes;) {
      check_stop();
      const uint64_t bytes = std::min(extent.records * kRecordBytes - done, kReadBytes);
      packed_.resize(std::max<size_t>(packed_.size(), bytes));
      file_->read(extent.begin + done, packed_.data(), bytes);
      visit(packed_.data(), bytes / kRecordBytes);
      done += bytes;
    }
  }
}

template <typename Visit>
void PostingSorter::for_chunks(uint32_t number, const Visit& visit) {
  const Part& part = parts_[number];
  for (const auto& chunk : part.chunks) {
    const bool last = &chunk == &part.chunks.back();
    visit(chunk.get(), (last ? static_cast<size_t>(part.at - chunk.get()) : chunk_bytes_) / kRecordBytes);
  }
}

bool PostingSorter::load(uint32_t number) {
  const uint64_t records = records_of(number);
  if (records * sizeof(Posting) > sort_memory_ || records > UINT32_MAX) return false;  // before all are counted
  bins_.fill(0);
  if (file_) std::copy_n(spilled_bins_.data() + size_t{number} * kBins, kBins, bins_.begin() + 1);
  for_chunks(number, [&](const char* at, uint64_t count) { count_bins(at, count, bins_.data() + 1); });
  // The largest bin is sorted with as much memory again.
  if ((records + *std::ranges::max_element(bins_)) * sizeof(Posting) > sort_memory_) return false;
  for (uint32_t bin = 0; bin < kBins; ++bin) bins_[bin + 1] += bins_[bin];
  records_.resize(std::max<size_t>(records_.size(), records));
  std::array<uint64_t, kBins> places;
  std::copy_n(bins_.begin(), kBins, places.begin());
  const auto scatter = [&](const char* at, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i, at += kRecordBytes) {
      const Posting posting = unpack(number, at);
      records_[places[static_cast<uint8_t>(at[kRecordBytes - 1])]++] = posting;
    }
  };
  for_spilled(number, scatter);
  for_chunks(number, scatter);
  drop(parts_[number]);
  return true;
}

void PostingSorter::pass_on(uint32_t number, ExternalSorter<Posting>& sorter) {
  std::vector<Posting> some;
  const auto pass = [&](const char* at, uint64_t count) {
    some.clear();
    for (uint64_t i = 0; i < count; ++i, at += kRecordBytes) some.push_back(unpack(number, at));
    sorter.add(some);
  };
  for_spilled(number, pass);
  for_chunks(number, pass);
  drop(parts_[number]);
}

std::span<const Posting> PostingSorter::sort_bin(uint32_t bin) {
  constexpr size_t kFewRecords = 64;  // std::sort is faster
  const size_t count = bins_[bin + 1] - bins_[bin];
  Posting* records = records_.data() + bins_[bin];
  if (count == 0) return {};
  check_stop();
  if (count <= kFewRecords) {
    std::sort(records, records + count);
    return {records, finish_order(records, count)};
  }
  scratch_.resize(std::max<size_t>(scratch_.size(), count));
  static_assert(kLowHashBits == 16);
  radix_pass(records, scratch_.data(), count, 0);
  radix_pass(scratch_.data(), records, count, 8);
  return {records, finish_order(records, count)};
}

}  // namespace neardup
