// A table of named sections inside a dictionary file, and the checks that every section needs: its name, its bounds and its hash.
//
// Entries of 40 bytes: name (16), offset, bytes, XXH3-64 of the section. The sections follow, each at a multiple of 64. The id of a table
// is the XXH3-64 of its entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::jieba {

inline constexpr size_t kSectionAlignment = 64;

/// The first place of a section at or after `end`.
constexpr size_t section_start(size_t end) noexcept {
  return (end + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

struct SectionInfo {
  std::string name;
  uint64_t bytes;
};

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

bool all_finite(std::span<const double> values) noexcept;

/// Appends a table and its sections to a file; returns the id of the table.
uint64_t append_sections(std::string& file, std::span<const std::string_view> names, std::span<const std::string_view> contents);

/// Reads one table. All errors are Error{kInput} and begin with the name of the file. `bytes`, `file` and `names` must outlive it.
class SectionReader {
 public:
  /// The table at `bytes[at]`, at most bytes.size().
  SectionReader(std::string_view bytes, const std::string& file, std::span<const std::string_view> names, size_t at, uint64_t id);

  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail(size_t section, std::string_view what) const;
  void require(bool condition, size_t section, std::string_view what) const;

  template <typename T>
  [[nodiscard]] std::span<const T> section(size_t i) const {
    const std::string_view part = contents(i, sizeof(T));
    return {reinterpret_cast<const T*>(part.data()), part.size() / sizeof(T)};
  }
  /// Where the last section ends. Call it after section() has checked the last one.
  [[nodiscard]] size_t end() const noexcept { return entries_.back().offset + entries_.back().bytes; }
  [[nodiscard]] std::vector<SectionInfo> list() const;

 private:
  struct Entry {
    char name[16];
    uint64_t offset;
    uint64_t bytes;
    uint64_t hash;
  };
  static_assert(sizeof(Entry) == 40);
  friend uint64_t append_sections(std::string& file, std::span<const std::string_view> names, std::span<const std::string_view> contents);

  [[nodiscard]] std::string_view contents(size_t i, size_t element_bytes) const;

  std::string_view bytes_;
  const std::string& file_;
  std::span<const std::string_view> names_;
  std::vector<Entry> entries_;
};

}  // namespace neardup::jieba
