#include "neardup/tools/band_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "base/hash.h"
#include "index/compat/large_page_allocator.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using Entry = BandIndex::Entry;
constexpr Entry kNone = BandIndex::kNone;
constexpr size_t kFirstSlabBytes = size_t{1} << 14;
constexpr size_t kLastSlabBytes = 2 * LargePageAllocator<uint64_t>::kPageBytes;
constexpr size_t kFirstSlots = 8;

// The neighbours of an entry in a bucket.
struct Link {
  Entry next;
  Entry previous;
};

// A bucket: its newest entry and 32 bits of its key's hash, which also say where probing begins. So a table grows without reading keys.
struct Slot {
  uint32_t tag = 0;
  Entry head = kNone;
};

using Slots = std::vector<Slot, LargePageAllocator<Slot>>;

uint32_t tag_of(std::string_view key) noexcept {
  return static_cast<uint32_t>(hash64(key));
}

// Blocks of memory that never move. A freed block holds the address of the next free one of its size, so freeing cannot fail.
class Slabs {
 public:
  char* allocate(size_t bytes) {
    const size_t size = rounded(bytes);
    char*& free = free_[size];
    if (free != nullptr) {
      char* const block = free;
      std::memcpy(&free, block, sizeof free);
      return block;
    }
    if (size > left_) {
      // Each slab is twice as large as the one before, so that small indexes stay small.
      const size_t wanted = std::max(size, std::min(kLastSlabBytes, kFirstSlabBytes << std::min<size_t>(slabs_.size(), 16)));
      slabs_.emplace_back(wanted / sizeof(uint64_t));
      next_ = reinterpret_cast<char*>(slabs_.back().data());
      left_ = wanted;
    }
    char* const block = next_;
    next_ += size;
    left_ -= size;
    return block;
  }

  /// Requires a block of allocate() with this size.
  void free(char* block, size_t bytes) noexcept {
    char*& free = free_.find(rounded(bytes))->second;
    std::memcpy(block, &free, sizeof free);
    free = block;
  }

 private:
  static size_t rounded(size_t bytes) noexcept { return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t); }

  std::vector<std::vector<uint64_t, LargePageAllocator<uint64_t>>> slabs_;
  std::unordered_map<size_t, char*> free_;
  char* next_ = nullptr;
  size_t left_ = 0;
};

// Whether an entry is among the first that were found. Near copies agree in many bands, so most repetitions never get as far as the sort.
bool is_known(const std::vector<Entry>& found, Entry entry) noexcept {
  constexpr size_t kFirst = 8;
  const auto end = found.begin() + static_cast<ptrdiff_t>(std::min(found.size(), kFirst));
  return std::find(found.begin(), end, entry) != end;
}

}  // namespace

class BandIndex::Tables {
 public:
  explicit Tables(uint32_t bands) : tables_(bands), tags_(bands) {}

  [[nodiscard]] uint32_t bands() const noexcept { return static_cast<uint32_t>(tables_.size()); }
  [[nodiscard]] size_t entry_limit() const noexcept { return records_.size(); }
  [[nodiscard]] size_t bucket_count(uint32_t band) const noexcept { return tables_[band].buckets; }

  Entry add(std::string_view keys) {
    const size_t size = keys.size() / bands();
    const Entry entry = new_entry(size);
    Record& record = records_[entry];
    std::memcpy(bytes(record), keys.data(), size * bands());
    // All slots first, so that their cache misses overlap.
    for (uint32_t band = 0; band < bands(); ++band) {
      Table& table = tables_[band];
      if (table.is_full()) grow(table);
      tags_[band] = tag_of({bytes(record) + band * size, size});
      __builtin_prefetch(&table.slots[tags_[band] & table.mask()], 1);
    }
    for (uint32_t band = 0; band < bands(); ++band) link(entry, band, tags_[band]);
    return entry;
  }

  void remove(Entry entry) noexcept {
    for (uint32_t band = 0; band < bands(); ++band) {
      const Link link = links(records_[entry])[band];
      if (link.next != kNone) links(records_[link.next])[band].previous = link.previous;
      if (link.previous != kNone)
        links(records_[link.previous])[band].next = link.next;
      else
        replace_head(band, entry, link.next);
    }
    Record& record = records_[entry];
    slabs_.free(record.block, block_bytes(record.key_bytes));
    record = {nullptr, free_entry_};
    free_entry_ = entry;
  }

  [[nodiscard]] std::string_view key(Entry entry, uint32_t band) const noexcept {
    const Record& record = records_[entry];
    return {bytes(record) + band * record.key_bytes, record.key_bytes};
  }
  [[nodiscard]] std::string_view keys(Entry entry) const noexcept {
    const Record& record = records_[entry];
    return {bytes(record), record.key_bytes * bands()};
  }

  [[nodiscard]] Entry first(uint32_t band, std::string_view key) const noexcept { return first(band, key, tag_of(key)); }
  [[nodiscard]] Entry next(Entry entry, uint32_t band) const noexcept { return links(records_[entry])[band].next; }

  [[nodiscard]] std::vector<Entry> buckets(uint32_t band) const {
    std::vector<Entry> heads;
    heads.reserve(tables_[band].buckets);
    for (const Slot& slot : tables_[band].slots) {
      if (slot.head != kNone) heads.push_back(slot.head);
    }
    return heads;
  }

  void query(std::string_view keys, uint32_t count, std::vector<Entry>& found) const {
    found.clear();
    constexpr uint32_t kBlock = 64;
    std::array<uint32_t, kBlock> tags;
    const size_t size = keys.size() / bands();
    for (uint32_t begin = 0; begin < count; begin += kBlock) {
      const uint32_t end = std::min(count, begin + kBlock);
      for (uint32_t band = begin; band < end; ++band) {
        const Table& table = tables_[band];
        tags[band - begin] = tag_of(keys.substr(band * size, size));
        __builtin_prefetch(&table.slots[tags[band - begin] & table.mask()]);
      }
      // The entries that are likely to be found come next, again all before the first is needed.
      for (uint32_t band = begin; band < end; ++band) {
        if (const Entry entry = likely(band, tags[band - begin]); entry != kNone) __builtin_prefetch(&records_[entry]);
      }
      for (uint32_t band = begin; band < end; ++band) {
        if (const Entry entry = likely(band, tags[band - begin]); entry != kNone) {
          __builtin_prefetch(links(records_[entry]) + band);
          if (found.empty()) __builtin_prefetch(bytes(records_[entry]) + band * size);
        }
      }
      for (uint32_t band = begin; band < end; ++band) add_bucket(band, keys.substr(band * size, size), tags[band - begin], found);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }

 private:
  // An entry's block: a link for each band, then the keys. Of a removed entry: null, and the next removed one.
  struct Record {
    char* block = nullptr;
    size_t key_bytes = 0;
  };
  struct Table {
    Slots slots = Slots(kFirstSlots);  // a power of two; probed one after another
    size_t buckets = 0;
    [[nodiscard]] uint32_t mask() const noexcept { return static_cast<uint32_t>(slots.size() - 1); }
    [[nodiscard]] bool is_full() const noexcept { return buckets + 1 > slots.size() / 4 * 3; }
  };

  [[nodiscard]] size_t block_bytes(size_t key_bytes) const noexcept { return bands() * (sizeof(Link) + key_bytes); }
  [[nodiscard]] static Link* links(const Record& record) noexcept { return reinterpret_cast<Link*>(record.block); }
  [[nodiscard]] char* bytes(const Record& record) const noexcept { return record.block + bands() * sizeof(Link); }

  Entry new_entry(size_t key_bytes) {
    if (free_entry_ == kNone && records_.size() >= kNone - 1) {
      throw Error(ErrorCode::kResource, "the index is full: 4294967294 entries are the maximum");
    }
    if (free_entry_ == kNone) {
      records_.push_back({nullptr, kNone});
      free_entry_ = static_cast<Entry>(records_.size() - 1);
    }
    char* const block = slabs_.allocate(block_bytes(key_bytes));
    const Entry entry = free_entry_;
    free_entry_ = static_cast<Entry>(records_[entry].key_bytes);
    records_[entry] = {block, key_bytes};
    return entry;
  }

  // The slot of the key, or the empty one where it belongs.
  [[nodiscard]] size_t slot_of(uint32_t band, std::string_view wanted, uint32_t tag) const noexcept {
    const Table& table = tables_[band];
    size_t at = tag & table.mask();
    for (; table.slots[at].head != kNone; at = (at + 1) & table.mask()) {
      if (table.slots[at].tag == tag && key(table.slots[at].head, band) == wanted) break;
    }
    return at;
  }

  // Whether a bucket has nothing new. Reading its links is cheap, verifying its key takes another cache miss.
  [[nodiscard]] bool is_known(uint32_t band, Entry head, const std::vector<Entry>& found) const noexcept {
    constexpr int kLength = 4;
    Entry entry = head;
    for (int i = 0; i < kLength && entry != kNone; ++i, entry = next(entry, band)) {
      if (!neardup::is_known(found, entry)) return false;
    }
    return entry == kNone;
  }

  void add_bucket(uint32_t band, std::string_view wanted, uint32_t tag, std::vector<Entry>& found) const {
    const Table& table = tables_[band];
    for (size_t at = tag & table.mask(); table.slots[at].head != kNone; at = (at + 1) & table.mask()) {
      const Entry head = table.slots[at].head;
      // Probing goes on after a bucket without anything new: it may be another key's with the same tag.
      if (table.slots[at].tag != tag || is_known(band, head, found) || key(head, band) != wanted) continue;
      for (Entry entry = head; entry != kNone; entry = next(entry, band)) {
        if (!neardup::is_known(found, entry)) found.push_back(entry);
      }
      return;
    }
  }

  // The head in the slot where probing begins, if it has the tag.
  [[nodiscard]] Entry likely(uint32_t band, uint32_t tag) const noexcept {
    const Slot& slot = tables_[band].slots[tag & tables_[band].mask()];
    return slot.tag == tag ? slot.head : kNone;
  }

  [[nodiscard]] Entry first(uint32_t band, std::string_view wanted, uint32_t tag) const noexcept {
    return tables_[band].slots[slot_of(band, wanted, tag)].head;
  }

  void link(Entry entry, uint32_t band, uint32_t tag) noexcept {
    Table& table = tables_[band];
    Slot& slot = table.slots[slot_of(band, key(entry, band), tag)];
    if (slot.head == kNone)
      ++table.buckets;
    else
      links(records_[slot.head])[band].previous = entry;
    links(records_[entry])[band] = {slot.head, kNone};
    slot = {tag, entry};
  }

  void replace_head(uint32_t band, Entry head, Entry successor) noexcept {
    Table& table = tables_[band];
    size_t at = tag_of(key(head, band)) & table.mask();
    while (table.slots[at].head != head) at = (at + 1) & table.mask();
    table.slots[at].head = successor;
    if (successor != kNone) return;
    --table.buckets;
    // Moves later slots of the run into the gap, unless that would put them before the place where their probing begins.
    for (size_t gap = at, scan = (at + 1) & table.mask(); table.slots[scan].head != kNone; scan = (scan + 1) & table.mask()) {
      const size_t home = table.slots[scan].tag & table.mask();
      if (((scan - home) & table.mask()) < ((scan - gap) & table.mask())) continue;
      table.slots[gap] = table.slots[scan];
      table.slots[scan].head = kNone;
      gap = scan;
    }
  }

  static void grow(Table& table) {
    Slots slots(table.slots.size() * 2);
    const size_t mask = slots.size() - 1;
    for (const Slot& slot : table.slots) {
      if (slot.head == kNone) continue;
      size_t at = slot.tag & mask;
      while (slots[at].head != kNone) at = (at + 1) & mask;
      slots[at] = slot;
    }
    table.slots = std::move(slots);
  }

  std::vector<Table> tables_;
  std::vector<uint32_t> tags_;  // of the entry being added
  std::vector<Record, LargePageAllocator<Record>> records_;
  Entry free_entry_ = kNone;  // the first of the removed entries
  Slabs slabs_;
};

BandIndex::BandIndex(uint32_t bands) : tables_(std::make_unique<Tables>(bands)) {}
BandIndex::~BandIndex() = default;
BandIndex::BandIndex(BandIndex&&) noexcept = default;
BandIndex& BandIndex::operator=(BandIndex&&) noexcept = default;

uint32_t BandIndex::bands() const noexcept {
  return tables_->bands();
}
size_t BandIndex::entry_limit() const noexcept {
  return tables_->entry_limit();
}
size_t BandIndex::bucket_count(uint32_t band) const noexcept {
  return tables_->bucket_count(band);
}
Entry BandIndex::add(std::string_view keys) {
  return tables_->add(keys);
}
void BandIndex::remove(Entry entry) noexcept {
  tables_->remove(entry);
}
std::string_view BandIndex::key(Entry entry, uint32_t band) const noexcept {
  return tables_->key(entry, band);
}
std::string_view BandIndex::keys(Entry entry) const noexcept {
  return tables_->keys(entry);
}
Entry BandIndex::first(uint32_t band, std::string_view key) const noexcept {
  return tables_->first(band, key);
}
Entry BandIndex::next(Entry entry, uint32_t band) const noexcept {
  return tables_->next(entry, band);
}
std::vector<Entry> BandIndex::buckets(uint32_t band) const {
  return tables_->buckets(band);
}
void BandIndex::query(std::string_view keys, uint32_t bands, std::vector<Entry>& found) const {
  tables_->query(keys, bands, found);
}

}  // namespace neardup
