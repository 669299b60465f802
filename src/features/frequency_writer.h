// FrequencyWriter: writes a table of document frequencies from entries that come in ascending order of hashes. Memory does not grow with
// the table: hashes and counts are kept in temporary files until all of them are known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/temp_file.h"

namespace neardup {

/// A token and the number of documents that have it.
struct HashCount {
  uint64_t hash = 0;
  uint64_t count = 0;
  friend bool operator<(const HashCount& a, const HashCount& b) noexcept { return a.hash < b.hash; }
};

class FrequencyWriter {
 public:
  /// Entries with a smaller count than `min_frequency` (from 1) are left out.
  FrequencyWriter(uint32_t min_frequency, const std::string& temp_dir);

  /// Requires hashes in ascending order; the counts of equal ones are added.
  void add(const HashCount& entry);

  /// Writes everything and returns the id; the file is not committed. Throws Error{kResource} for more than limits::kMaxDocuments
  /// documents, Error{kOutput}.
  uint64_t finish(std::string_view description, uint64_t documents, AtomicFile& out);

  /// Remembers the `max_entries` most frequent entries, the smallest hash first among equals.
  void remember_top(size_t max_entries) { max_top_ = max_entries; }
  /// In this order. After finish().
  [[nodiscard]] const std::vector<HashCount>& top() const noexcept { return top_; }

 private:
  void put(const HashCount& entry);
  void flush();

  uint32_t min_frequency_;
  TempFile hash_file_;
  TempFile count_file_;
  std::vector<uint64_t> hashes_;  // not yet in the files
  std::vector<uint32_t> counts_;
  HashCount last_;  // may get more; a count of 0: none
  uint64_t entries_ = 0;
  size_t max_top_ = 0;
  std::vector<HashCount> top_;  // a heap, the first entry to drop on top
};

class DocumentFrequencyTable;
struct NamedTable {
  const std::string& name;  ///< for errors
  const DocumentFrequencyTable& table;
};
/// Sums up tables that were made in the same way and returns the number of documents. Throws Error{kUsage} for tables with different
/// descriptions, or from which entries were left out: their sum would depend on how the corpus was divided.
uint64_t merge_tables(const std::vector<NamedTable>& tables, FrequencyWriter& writer);

}  // namespace neardup
