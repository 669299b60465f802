#include "text/jieba/dictionary/jieba_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/hash.h"
#include "neardup/error.h"

namespace neardup::jieba {

bool all_finite(std::span<const double> values) noexcept {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

uint64_t append_sections(std::string& file, std::span<const std::string_view> names, std::span<const std::string_view> contents) {
  using Entry = SectionReader::Entry;
  std::vector<Entry> entries(names.size(), Entry{});
  const size_t table = file.size();
  file.resize(table + entries.size() * sizeof(Entry), '\0');
  for (size_t i = 0; i < entries.size(); ++i) {
    file.resize(section_start(file.size()), '\0');
    std::copy(names[i].begin(), names[i].end(), entries[i].name);
    entries[i].offset = file.size();
    entries[i].bytes = contents[i].size();
    entries[i].hash = hash64(contents[i]);
    file += contents[i];
  }
  const std::string_view bytes = bytes_of(std::span<const Entry>(entries));
  std::memcpy(file.data() + table, bytes.data(), bytes.size());
  return hash64(bytes);
}

SectionReader::SectionReader(std::string_view bytes, const std::string& file, std::span<const std::string_view> names, size_t at,
                             uint64_t id)
    : bytes_(bytes), file_(file), names_(names), entries_(names.size()) {
  const size_t table_bytes = names.size() * sizeof(Entry);
  if (bytes.size() - at < table_bytes) fail("section table: cut off");
  const std::string_view table = bytes.substr(at, table_bytes);
  if (hash64(table) != id) fail("section table: damaged (wrong hash)");
  std::memcpy(entries_.data(), table.data(), table_bytes);
}

void SectionReader::fail(const std::string& what) const {
  throw Error(ErrorCode::kInput, fmt::format("dictionary '{}': {}", file_, what));
}

void SectionReader::fail(size_t section, std::string_view what) const {
  fail(fmt::format("section {}: {}", names_[section], what));
}

void SectionReader::require(bool condition, size_t section, std::string_view what) const {
  if (!condition) fail(section, what);
}

std::string_view SectionReader::contents(size_t i, size_t element_bytes) const {
  const Entry& entry = entries_[i];
  const std::string_view name(entry.name, ::strnlen(entry.name, sizeof(entry.name)));
  if (name != names_[i]) fail(fmt::format("section {} is '{}', expected '{}'", i, name, names_[i]));
  const bool inside = entry.offset <= bytes_.size() && entry.bytes <= bytes_.size() - entry.offset;
  require(inside && entry.offset % kSectionAlignment == 0 && entry.bytes % element_bytes == 0, i,
          fmt::format("bytes {} to {} are not in a file of {} bytes", entry.offset, entry.offset + entry.bytes, bytes_.size()));
  const std::string_view part = bytes_.substr(entry.offset, entry.bytes);
  require(hash64(part) == entry.hash, i, "damaged (wrong hash)");
  return part;
}

std::vector<SectionInfo> SectionReader::list() const {
  std::vector<SectionInfo> list;
  for (size_t i = 0; i < names_.size(); ++i) list.push_back({std::string(names_[i]), entries_[i].bytes});
  return list;
}

}  // namespace neardup::jieba
