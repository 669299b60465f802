#include "dedup/fit/frequent_lines.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace neardup {

void FrequentLines::add(Lines& lines, uint64_t hash, uint64_t documents, std::string_view text) {
  LearnedLines::Line& line = lines[hash];
  if (line.documents == 0 || text < line.text) line.text = text;
  line.documents += documents;
}

void FrequentLines::look_at(uint32_t worker, std::string_view text) {
  Worker& mine = workers_[worker];
  ++mine.documents;
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = trim_line(line_at(text, at, at));
    if (line.empty()) continue;
    const uint64_t hash = hash64(line);
    if (!list_.contains(hash)) continue;
    uint64_t& last = mine.last[hash];
    add(mine.lines, hash, last == mine.documents ? 0 : 1, line);
    last = mine.documents;
  }
}

std::vector<LearnedLines::Line> FrequentLines::top(uint64_t most) const {
  Lines all;
  for (const Worker& worker : workers_) {
    for (const auto& [hash, line] : worker.lines) add(all, hash, line.documents, line.text);
  }
  std::vector<LearnedLines::Line> lines;
  for (auto& [hash, line] : all) lines.push_back(std::move(line));
  std::ranges::sort(lines, [](const LearnedLines::Line& a, const LearnedLines::Line& b) {
    return a.documents != b.documents ? a.documents > b.documents : a.text < b.text;
  });
  lines.resize(std::min<uint64_t>(lines.size(), most));
  return lines;
}

}  // namespace neardup
