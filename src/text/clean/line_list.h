// LineList: the lines that a corpus repeats (menus, notices, footers), by their hashes. LineCounter learns them, and lines_v1 drops them.
//
// A line ends at '\n'. It is hashed without the white space at its ends (U+0009-000D, 0020, 00A0, 3000): XXH3-64, seed 0. A line of white
// space is not a line. Two different lines with one hash would both be dropped: for a list of n lines and m lines read, n * m / 2^64.
//
// A list is immutable and shared by threads. Its id is a hash of its hashes, which determine its effect on a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/tools/threshold.h"

namespace neardup {

class LineList {
 public:
  /// `hashes` in any order, with or without repetitions. A line is in the list because more than `share` of `documents` have it.
  LineList(std::vector<uint64_t> hashes, Threshold share, uint64_t documents);

  /// Reads a file of save(). Throws Error{kInput} that names the file and its fault; nothing in a file is trusted.
  static LineList load(const std::string& path);
  /// The same from bytes; `name` is for messages.
  static LineList parse(std::string_view bytes, const std::string& name);
  /// The file appears when it is complete. Throws Error{kOutput}.
  void save(const std::string& path) const;
  [[nodiscard]] std::string serialize() const;

  [[nodiscard]] bool contains(uint64_t hash) const noexcept;
  [[nodiscard]] size_t size() const noexcept { return hashes_.size(); }
  [[nodiscard]] uint64_t id() const noexcept { return id_; }
  [[nodiscard]] Threshold share() const noexcept { return share_; }
  [[nodiscard]] uint64_t documents() const noexcept { return documents_; }

 private:
  void index();

  std::vector<uint64_t> hashes_;  // sorted, unique
  std::vector<uint32_t> starts_;  // of the hashes by their first bits, so that a look-up touches one or two of them
  uint32_t shift_ = 63;
  Threshold share_;
  uint64_t documents_;
  uint64_t id_ = 0;
};

/// The line without the white space at its ends.
std::string_view trim_line(std::string_view line) noexcept;

/// The line at `from`, without its '\n', and in `next` where the one after it begins.
inline std::string_view line_at(std::string_view text, size_t from, size_t& next) noexcept {
  const size_t newline = text.find('\n', from);
  next = newline == std::string_view::npos ? text.size() : newline + 1;
  return text.substr(from, newline == std::string_view::npos ? newline : newline - from);
}

}  // namespace neardup
