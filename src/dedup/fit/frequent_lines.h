// FrequentLines: in how many documents the lines of a list stand, and what they say, for people. A list knows hashes only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "neardup/tools/line_lists.h"
#include "text/clean/line_list.h"

namespace neardup {

class FrequentLines {
 public:
  /// The list is not owned.
  FrequentLines(const LineList& list, uint32_t workers) : list_(list), workers_(workers) {}

  /// One document, cleaned. Workers in parallel.
  void look_at(uint32_t worker, std::string_view text);

  /// The most frequent first, of equals the least in bytes. Where lines share a hash, the least of them stands for all.
  [[nodiscard]] std::vector<LearnedLines::Line> top(uint64_t most) const;

 private:
  using Lines = std::unordered_map<uint64_t, LearnedLines::Line>;
  struct Worker {
    Lines lines;
    std::unordered_map<uint64_t, uint64_t> last;  // the document that a line was counted for
    uint64_t documents = 0;
  };
  static void add(Lines& lines, uint64_t hash, uint64_t documents, std::string_view text);

  const LineList& list_;
  std::vector<Worker> workers_;
};

}  // namespace neardup
