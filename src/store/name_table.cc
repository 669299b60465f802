#include "store/name_table.h"

#include <fmt/format.h>

#include <cstring>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kMostInMemory = 1u << 18;  // entries: 4 MiB

}  // namespace

NameTable::NameTable(const SegmentFile& file) : file_(file), section_(file.names()) {
  if (section_.empty()) return;
  uint64_t tail[2] = {};
  if (section_.size() % 8 != 0 || section_.size() < sizeof tail) refuse();
  file.names_guard().check(section_.data() + section_.size() - sizeof tail, sizeof tail);
  std::memcpy(tail, section_.data() + section_.size() - sizeof tail, sizeof tail);
  count_ = tail[0];
  text_bytes_ = tail[1];
  const uint64_t room = section_.size() - sizeof tail;
  if (text_bytes_ > room || count_ > room / sizeof(NameEnd) || segment::round_up(text_bytes_, 8) + count_ * sizeof(NameEnd) != room)
    refuse();
  entries_ = section_.data() + segment::round_up(text_bytes_, 8);
}

void NameTable::refuse() const {
  throw Error(ErrorCode::kInput, fmt::format("'{}': the names are damaged", file_.name()));
}

NameEnd NameTable::entry(uint64_t i) const {
  const char* at = entries_ + i * sizeof(NameEnd);
  file_.names_guard().check(at, sizeof(NameEnd));
  NameEnd entry;
  std::memcpy(&entry, at, sizeof entry);
  return entry;
}

std::string_view NameTable::name(uint64_t i) const {
  const uint64_t begin = i == 0 ? 0 : entry(i - 1).end;
  const uint64_t end = entry(i).end;
  if (begin > end || end > text_bytes_) refuse();
  file_.names_guard().check(section_.data() + begin, end - begin);
  return section_.substr(begin, end - begin);
}

std::optional<std::string_view> NameTable::find(uint64_t id) const {
  uint64_t begin = 0;
  uint64_t end = count_;
  while (begin < end) {
    const uint64_t middle = begin + (end - begin) / 2;
    const uint64_t found = entry(middle).id;
    if (found == id) return name(middle);
    if (found < id)
      begin = middle + 1;
    else
      end = middle;
  }
  return std::nullopt;
}

void NameWriter::add(uint64_t id, std::string_view name) {
  writer_.append(name);
  text_bytes_ += name.size();
  ++count_;
  entries_.push_back({id, text_bytes_});
  if (entries_.size() == kMostInMemory) spill();
}

void NameWriter::spill() {
  if (!spilled_) spilled_.emplace(temp_dir_);
  spilled_->append(entries_.data(), entries_.size() * sizeof(NameEnd));
  entries_.clear();
}

void NameWriter::finish() {
  writer_.append(std::string(segment::round_up(text_bytes_, 8) - text_bytes_, '\0'));
  if (spilled_) {
    std::string part(size_t{1} << 20, '\0');
    for (uint64_t at = 0; at < spilled_->size(); at += part.size()) {
      const size_t bytes = std::min<uint64_t>(part.size(), spilled_->size() - at);
      spilled_->read(at, part.data(), bytes);
      writer_.append({part.data(), bytes});
    }
  }
  writer_.append({reinterpret_cast<const char*>(entries_.data()), entries_.size() * sizeof(NameEnd)});
  const uint64_t tail[2] = {count_, text_bytes_};
  writer_.append({reinterpret_cast<const char*>(tail), sizeof tail});
}

}  // namespace neardup
