#include "dedup/match/candidate_rows.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kWriteBytes = size_t{1} << 20;

}  // namespace

CandidateRows::CandidateRows(size_t row_bytes, size_t count, uint64_t memory_bytes, std::string temp_dir)
    : row_bytes_(row_bytes), memory_bytes_(memory_bytes), temp_dir_(std::move(temp_dir)), memory_(std::make_unique<PageBuffer>()) {
  if (row_bytes * count > memory_bytes) file_.emplace(temp_dir_);
}

void CandidateRows::append(const uint8_t* row) {
  memory_->append({reinterpret_cast<const char*>(row), row_bytes_});
  if (!file_ || memory_->size() < kWriteBytes) return;
  file_->append(memory_->data(), memory_->size());
  memory_->reset(0);
}

// The file is written in the usual way and only read through the mapping: a disk that is full is an error then, and no signal.
void CandidateRows::finish() {
  if (!file_) {
    data_ = reinterpret_cast<const uint8_t*>(memory_->data());
    return;
  }
  file_->append(memory_->data(), memory_->size());
  memory_.reset();
  const size_t bytes = file_->size();
  void* begin = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file_->descriptor(), 0);
  if (begin == MAP_FAILED) {
    throw Error(ErrorCode::kResource, "cannot map " + std::to_string(bytes) + " bytes of temporary data: " + std::strerror(errno));
  }
  mapped_ = std::shared_ptr<void>(begin, [bytes](void* mapped) { ::munmap(mapped, bytes); });
  data_ = static_cast<const uint8_t*>(begin);
}

void CandidateRows::keep(std::span<const uint32_t> ordinals) {
  CandidateRows kept(row_bytes_, ordinals.size(), memory_bytes_, temp_dir_);
  for (const uint32_t ordinal : ordinals) kept.append(data_ + ordinal * row_bytes_);
  kept.finish();
  *this = std::move(kept);
}

}  // namespace neardup
