#include "features/frequency_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>

#include "base/hash.h"
#include "base/limits.h"
#include "features/document_frequency.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kBuffered = 1 << 15;
constexpr size_t kCopyBytes = 1 << 20;

bool more_frequent(const HashCount& a, const HashCount& b) noexcept {
  return a.count != b.count ? a.count > b.count : a.hash < b.hash;
}

// Appends to the file and to its checksum.
class Checked {
 public:
  explicit Checked(AtomicFile& file) : file_(file) { XXH3_64bits_reset(&state_); }
  void append(std::string_view bytes) {
    XXH3_64bits_update(&state_, bytes.data(), bytes.size());
    file_.append(bytes);
    size_ += bytes.size();
  }
  template <typename Number>
  void number(Number value) {
    append({reinterpret_cast<const char*>(&value), sizeof value});
  }
  void pad() { append(std::string_view("\0\0\0\0\0\0\0", 7).substr(0, (8 - size_ % 8) % 8)); }
  void copy(const TempFile& from) {
    std::string buffer;
    for (uint64_t at = 0; at < from.size(); at += buffer.size()) {
      buffer.resize(std::min<uint64_t>(kCopyBytes, from.size() - at));
      from.read(at, buffer.data(), buffer.size());
      append(buffer);
    }
  }
  uint64_t finish() {
    const uint64_t sum = XXH3_64bits_digest(&state_);
    number(sum);
    return sum;
  }

 private:
  AtomicFile& file_;
  XXH3_state_t state_;
  uint64_t size_ = 0;
};

}  // namespace

FrequencyWriter::FrequencyWriter(uint32_t min_frequency, const std::string& temp_dir)
    : min_frequency_(min_frequency), hash_file_(temp_dir), count_file_(temp_dir) {}

void FrequencyWriter::add(const HashCount& entry) {
  if (entry.hash == last_.hash) {
    last_.count += entry.count;
    return;
  }
  put(last_);
  last_ = entry;
}

void FrequencyWriter::put(const HashCount& entry) {
  if (entry.count == 0 || entry.count < min_frequency_) return;
  ++entries_;
  hashes_.push_back(entry.hash);
  counts_.push_back(static_cast<uint32_t>(entry.count));  // at most the number of documents, which finish() checks
  if (hashes_.size() == kBuffered) flush();
  if (max_top_ == 0) return;
  top_.push_back(entry);
  std::push_heap(top_.begin(), top_.end(), more_frequent);
  if (top_.size() > max_top_) {
    std::pop_heap(top_.begin(), top_.end(), more_frequent);
    top_.pop_back();
  }
}

void FrequencyWriter::flush() {
  hash_file_.append(hashes_.data(), hashes_.size() * sizeof(uint64_t));
  count_file_.append(counts_.data(), counts_.size() * sizeof(uint32_t));
  hashes_.clear();
  counts_.clear();
}

uint64_t FrequencyWriter::finish(std::string_view description, uint64_t documents, AtomicFile& out) {
  if (documents > limits::kMaxDocuments) {
    throw Error(ErrorCode::kResource, fmt::format("'{}': {} documents, a table of document frequencies holds at most {}", out.path(),
                                                  documents, limits::kMaxDocuments));
  }
  put(last_);
  last_ = {};
  flush();
  std::sort_heap(top_.begin(), top_.end(), more_frequent);
  Checked file(out);
  file.append(DocumentFrequencyTable::kMagic);
  file.number(DocumentFrequencyTable::kVersion);
  file.number(static_cast<uint32_t>(description.size()));
  file.number(documents);
  file.number(entries_);
  file.number(min_frequency_);
  file.number(uint32_t{0});
  file.append(description);
  file.pad();
  file.copy(hash_file_);
  file.copy(count_file_);
  file.pad();
  return file.finish();
}

uint64_t merge_tables(const std::vector<NamedTable>& tables, FrequencyWriter& writer) {
  using Head = std::pair<uint64_t, size_t>;  // the next hash of a table, and the table
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  std::vector<size_t> next(tables.size());
  uint64_t documents = 0;
  for (size_t t = 0; t < tables.size(); ++t) {
    const auto& [name, table] = tables[t];
    if (table.description() != tables.front().table.description()) {
      throw Error(ErrorCode::kUsage, fmt::format("'{}' and '{}' count different tokens: {} and {}", tables.front().name, name,
                                                 tables.front().table.description(), table.description()));
    }
    if (table.min_frequency() > 1) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("'{}' cannot be merged: tokens in fewer than {} documents were left out of it", name, table.min_frequency()));
    }
    documents += table.documents();
    if (table.size() > 0) heads.emplace(table.hashes().front(), t);
  }
  while (!heads.empty()) {
    const auto [hash, t] = heads.top();
    heads.pop();
    const DocumentFrequencyTable& table = tables[t].table;
    writer.add({hash, table.counts()[next[t]]});
    if (++next[t] < table.size()) heads.emplace(table.hashes()[next[t]], t);
  }
  return documents;
}

}  // namespace neardup
