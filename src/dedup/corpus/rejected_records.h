// RejectedRecords: the rejected records of a batch, in about one bit per record.
//
// A run may reject any number of records, so it stores only this bit of each: a document table has entries for documents only, and these
// bits give their positions in the batch. Filled in ascending order by one thread; read-only afterwards, by any number of threads.
#pragma once

#include <cstdint>
#include <vector>

namespace neardup {

class RejectedRecords {
 public:
  void clear() noexcept;
  /// Above all that were added.
  void add(uint32_t record);

  [[nodiscard]] uint32_t count() const noexcept { return count_; }
  [[nodiscard]] bool contains(uint32_t record) const noexcept;
  /// How many of the records before `record` are rejected.
  [[nodiscard]] uint32_t before(uint32_t record) const noexcept;
  /// The accepted record that has `document` accepted records before it. The inverse of record - before(record).
  [[nodiscard]] uint32_t record_of(uint32_t document) const noexcept;

  /// One bit a record from the first on, up to the last rejected one; for storing.
  [[nodiscard]] const std::vector<uint64_t>& bits() const noexcept { return bits_; }
  /// Restores the result of bits().
  void assign(std::vector<uint64_t> bits);

 private:
  std::vector<uint64_t> bits_;
  std::vector<uint32_t> before_;  // rejected records before each word of bits_
  uint32_t count_ = 0;
};

}  // namespace neardup
