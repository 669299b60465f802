#include "dedup/match/candidates/candidate_rows.h"

#include <utility>

namespace neardup {
namespace {

constexpr uint64_t kWriteBytes = uint64_t{1} << 20;

}  // namespace

// If not all rows fit, they are written from the start, and their memory is free for others.
CandidateRows::CandidateRows(size_t row_bytes, size_t count, uint64_t memory_bytes, std::string temp_dir)
    : row_bytes_(row_bytes),
      memory_bytes_(memory_bytes),
      temp_dir_(std::move(temp_dir)),
      rows_(row_bytes * count > memory_bytes ? kWriteBytes : 0, temp_dir_) {
  if (row_bytes * count > memory_bytes) rows_.start_file();
}

void CandidateRows::append(const uint8_t* row) {
  rows_.append({reinterpret_cast<const char*>(row), row_bytes_});
}

void CandidateRows::finish() {
  data_ = reinterpret_cast<const uint8_t*>(rows_.bytes().data());
}

void CandidateRows::keep(std::span<const uint32_t> ordinals) {
  CandidateRows kept(row_bytes_, ordinals.size(), memory_bytes_, temp_dir_);
  for (const uint32_t ordinal : ordinals) kept.append(data_ + ordinal * row_bytes_);
  kept.finish();
  *this = std::move(kept);
}

}  // namespace neardup
