#include "features/frequency_builder.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace neardup {
namespace {

constexpr size_t kMinSlots = 1024;

void insert(std::vector<HashCount>& slots, const HashCount& entry, size_t& used) noexcept {
  const size_t mask = slots.size() - 1;
  // The upper half: the lower bits choose a slot in TokenCounter, and entries that come in that order would cluster here.
  size_t at = (entry.hash >> 32) & mask;
  while (slots[at].count != 0 && slots[at].hash != entry.hash) at = (at + 1) & mask;
  used += slots[at].count == 0;
  slots[at] = {entry.hash, slots[at].count + entry.count};
}

}  // namespace

// Half of the memory sorts what is handed over; the rest is for the workers, who hold their slots twice when they grow or hand over.
DocumentFrequencyBuilder::DocumentFrequencyBuilder(uint32_t workers, uint64_t memory_bytes, const std::string& temp_dir)
    : max_slots_(std::max(kMinSlots, static_cast<size_t>(std::bit_floor(memory_bytes / 4 / workers / sizeof(HashCount))))),
      workers_(workers),
      sorter_(memory_bytes / 2, temp_dir) {}

void DocumentFrequencyBuilder::add(uint32_t worker, std::span<const uint64_t> hashes) {
  Worker& own = workers_[worker];
  ++own.documents;
  own.document.clear();
  for (const uint64_t hash : hashes) own.document.add(hash);
  for (const TokenCounter::Entry& entry : own.document.entries()) count(own, entry.hash);
}

void DocumentFrequencyBuilder::count(Worker& worker, uint64_t hash) {
  if (4 * (worker.used + 1) > 3 * worker.slots.size()) {
    if (worker.slots.size() < max_slots_) {
      grow(worker);
    } else {
      hand_over(worker);
    }
  }
  insert(worker.slots, {hash, 1}, worker.used);
}

void DocumentFrequencyBuilder::grow(Worker& worker) {
  const std::vector<HashCount> old = std::exchange(worker.slots, std::vector<HashCount>(std::max(kMinSlots, 2 * worker.slots.size())));
  worker.used = 0;
  for (const HashCount& entry : old) {
    if (entry.count > 0) insert(worker.slots, entry, worker.used);
  }
}

void DocumentFrequencyBuilder::hand_over(Worker& worker) {
  std::vector<HashCount> entries;
  entries.reserve(worker.used);
  for (HashCount& slot : worker.slots) {
    if (slot.count > 0) entries.push_back(std::exchange(slot, HashCount{}));
  }
  worker.used = 0;
  sorter_.add(entries);
}

uint64_t DocumentFrequencyBuilder::documents() const noexcept {
  uint64_t sum = 0;
  for (const Worker& worker : workers_) sum += worker.documents;
  return sum;
}

const HashCount* DocumentFrequencyBuilder::next() {
  if (!counted_) {
    counted_ = true;
    for (Worker& worker : workers_) {
      hand_over(worker);
      std::vector<HashCount>().swap(worker.slots);
    }
  }
  return sorter_.next();
}

void DocumentFrequencyBuilder::write(FrequencyWriter& writer) {
  while (const HashCount* const entry = next()) writer.add(*entry);
}

}  // namespace neardup
