#include "io/files/left_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "io/bytes/compression.h"
#include "io/port/table_kind.h"

namespace neardup {
namespace {

constexpr size_t kMostEndings = 8;
constexpr size_t kMostLinks = 3;

}  // namespace

void LeftOut::add_file(std::string_view path) {
  const std::string name = std::filesystem::path(path).filename().native();
  if (name.starts_with('.') || name.starts_with('_')) return;
  const std::string_view plain = without_compression_suffix(name);
  const size_t dot = plain.rfind('.');
  ++by_ending_[dot == std::string_view::npos || dot == 0 ? "without an ending" : name.substr(dot)];
}

uint64_t LeftOut::files() const noexcept {
  uint64_t sum = 0;
  for (const auto& [ending, count] : by_ending_) sum += count;
  return sum;
}

std::string LeftOut::endings() const {
  std::vector<std::pair<std::string, uint64_t>> sorted(by_ending_.begin(), by_ending_.end());
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (size_t i = 0; i < std::min(sorted.size(), kMostEndings); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", sorted[i].second, sorted[i].first);
  }
  return sorted.size() > kMostEndings ? text + ", ..." : text;
}

// Which format takes what is left out. Who named one knows what it takes, and pipes and devices are taken by none.
std::string LeftOut::advice(InputFormat format) const {
  if (format != InputFormat::kAuto || by_ending_.empty() || (by_ending_.size() == 1 && by_ending_.contains(kSpecial))) return {};
  const bool tables = std::ranges::any_of(by_ending_, [](const auto& entry) { return table_kind_of(entry.first) != TableKind::kNone; });
  return fmt::format(" (--format text takes every file{})", tables ? "; --format parquet, csv or tsv takes tables" : "");
}

std::string LeftOut::warning(std::string_view folder, uint64_t taken, InputFormat format) const {
  std::string text;
  if (const uint64_t count = files(); count > 0) {
    text = fmt::format("'{}': {} of {} files left out: {}{}", folder, count, count + taken, endings(), advice(format));
  }
  if (dangling_.empty()) return text;
  text +=
      fmt::format("{}{} {} nowhere: ", text.empty() ? fmt::format("'{}': ", folder) : "; ",
                  dangling_.size() == 1 ? "1 link" : fmt::format("{} links", dangling_.size()), dangling_.size() == 1 ? "leads" : "lead");
  for (size_t i = 0; i < std::min(dangling_.size(), kMostLinks); ++i) text += fmt::format("{}'{}'", i == 0 ? "" : ", ", dangling_[i]);
  return dangling_.size() > kMostLinks ? text + ", ..." : text;
}

}  // namespace neardup
