#include "store/name_table.h"

#include <fmt/format.h>

#include <cstring>

#include "neardup/error.h"

namespace neardup {

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
  entries_.add(NameEnd{id, text_bytes_});
}

void NameWriter::finish() {
  writer_.append(std::string(segment::round_up(text_bytes_, 8) - text_bytes_, '\0'));
  entries_.move_to(writer_);
  const uint64_t tail[2] = {count_, text_bytes_};
  writer_.append({reinterpret_cast<const char*>(tail), sizeof tail});
}

}  // namespace neardup
