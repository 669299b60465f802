#include "text/clean/line_counter.h"

#include <algorithm>

#include "base/hash.h"

namespace neardup {
namespace {

void distinct_lines(std::string_view text, std::vector<uint64_t>& hashes) {
  hashes.clear();
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = trim_line(line_at(text, at, at));
    if (!line.empty()) hashes.push_back(hash64(line));
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

}  // namespace

void LineCounter::add(std::span<const std::string_view> documents) {
  std::vector<uint64_t> hashes;
  std::vector<Record> records;
  for (const std::string_view document : documents) {
    distinct_lines(document, hashes);
    for (const uint64_t hash : hashes) records.push_back({hash, 1});
  }
  sorter_.add(records);
  const std::lock_guard lock(mutex_);
  documents_ += documents.size();
}

template <typename Visit>
void LineCounter::for_each_line(const Visit& visit) {
  Record line{0, 0};
  sorter_.for_each([&](const Record& record) {
    if (record.hash != line.hash && line.documents > 0) visit(line);
    if (record.hash != line.hash) line = {record.hash, 0};
    line.documents += record.documents;
  });
  if (line.documents > 0) visit(line);
}

void LineCounter::merge(LineCounter& other) {
  constexpr size_t kAtOnce = 1u << 14;
  std::vector<Record> records;
  other.for_each_line([&](const Record& line) {
    records.push_back(line);
    if (records.size() < kAtOnce) return;
    sorter_.add(records);
    records.clear();
  });
  sorter_.add(records);
  const std::lock_guard lock(mutex_);
  documents_ += other.documents_;
}

LineList LineCounter::finish(Threshold share, uint64_t min_documents) {
  std::vector<uint64_t> hashes;
  const uint64_t bound = documents_ * share.millionths();  // exact below 2^44 documents
  for_each_line([&](const Record& line) {
    if (line.documents * Threshold::kOne > bound && line.documents >= min_documents) hashes.push_back(line.hash);
  });
  return {std::move(hashes), share, documents_};
}

}  // namespace neardup
