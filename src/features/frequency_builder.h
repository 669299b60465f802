// DocumentFrequencyBuilder: counts in how many documents each token occurs.
//
// Every worker counts on its own; entries that exceed its share of the memory are sorted and spilled to temporary files. Sums do not depend
// on the order of the summands: the result is a function of the documents alone, and memory limits never drop an entry.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/external_sort.h"
#include "features/frequency_writer.h"
#include "features/token_counter.h"

namespace neardup {

class DocumentFrequencyBuilder {
 public:
  DocumentFrequencyBuilder(uint32_t workers, uint64_t memory_bytes, const std::string& temp_dir);

  /// One document: the hashes of its tokens, with repetitions. A document without tokens is one, too. Workers in parallel.
  void add(uint32_t worker, std::span<const uint64_t> hashes);

  [[nodiscard]] uint64_t documents() const noexcept;
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return sorter_.spilled_bytes(); }

  /// The next entry in ascending order of hashes, of which equal ones may follow each other, each with a part of the count; null after the
  /// last. Valid until the next call. For one thread, after the last add().
  const HashCount* next();
  /// Gives all entries to the writer, instead of next().
  void write(FrequencyWriter& writer);

 private:
  // Hash to count, by open addressing; a count of 0 is an empty slot.
  struct Worker {
    TokenCounter document;
    std::vector<HashCount> slots;
    size_t used = 0;
    uint64_t documents = 0;
  };
  void count(Worker& worker, uint64_t hash);
  void grow(Worker& worker);
  void hand_over(Worker& worker);

  bool counted_ = false;  // next() was called
  size_t max_slots_;
  std::vector<Worker> workers_;
  ExternalSorter<HashCount> sorter_;
};

}  // namespace neardup
