#include "text/align/unit_sequence.h"

#include "base/hash.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

constexpr size_t kFirstTable = 1024;
constexpr size_t kUnitsPerAsk = 1 << 16;  // of whether to stop: some milliseconds

}  // namespace

UnitNumbers::UnitNumbers() : table_(kFirstTable) {}

UnitSequence UnitNumbers::number(std::string_view text) {
  UnitSequence sequence;
  UnitCutter cutter(text);
  for (Unit unit; cutter.next(unit);) {
    if (sequence.ids.size() % kUnitsPerAsk == 0) check_stop();
    sequence.ids.push_back(id_of(unit));
    sequence.places.push_back({static_cast<uint32_t>(unit.begin), static_cast<uint32_t>(unit.end)});
  }
  return sequence;
}

uint32_t UnitNumbers::id_of(const Unit& unit) {
  const uint64_t hash = hash64(unit.folded);
  const size_t mask = table_.size() - 1;
  size_t slot = hash & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    const uint32_t id = table_[slot] - 1;
    if (words_[id].hash == hash && folded(id) == unit.folded) return id;
  }
  const auto id = static_cast<uint32_t>(words_.size());
  words_.push_back({hash, bytes_.size(), unit.folded.size(), static_cast<uint32_t>(count_code_points(unit.folded)), unit.kind});
  bytes_ += unit.folded;
  table_[slot] = id + 1;
  if (words_.size() * 2 > table_.size()) grow();
  return id;
}

void UnitNumbers::grow() {
  table_.assign(table_.size() * 4, 0);
  const size_t mask = table_.size() - 1;
  for (uint32_t id = 0; id < words_.size(); ++id) {
    size_t slot = words_[id].hash & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = id + 1;
  }
}

}  // namespace neardup
