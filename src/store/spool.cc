#include "store/spool.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "neardup/error.h"

namespace neardup {

Spool::Spool(uint64_t memory_bytes, std::string temp_dir) : memory_bytes_(memory_bytes), temp_dir_(std::move(temp_dir)) {}

Spool::~Spool() {
  if (mapped_ != nullptr) ::munmap(mapped_, mapped_bytes_);
}

void Spool::append(const void* data, size_t bytes) {
  if (memory_bytes_ != 0 && waiting_.size() + bytes > memory_bytes_) spill();
  const char* from = static_cast<const char*>(data);
  waiting_.insert(waiting_.end(), from, from + bytes);
}

void Spool::spill() {
  if (!file_) file_.emplace(temp_dir_);
  file_->append(waiting_.data(), waiting_.size());
  waiting_.clear();
}

std::span<const char> Spool::bytes() {
  if (!file_) return waiting_;
  if (mapped_ == nullptr) {
    spill();
    RawVector<char>().swap(waiting_);
    void* begin = ::mmap(nullptr, file_->size(), PROT_READ, MAP_SHARED, file_->descriptor(), 0);
    if (begin == MAP_FAILED) {
      throw Error(ErrorCode::kResource,
                  "cannot map " + std::to_string(file_->size()) + " bytes of temporary data: " + std::strerror(errno));
    }
    mapped_ = begin;
    mapped_bytes_ = file_->size();
  }
  return {static_cast<const char*>(mapped_), mapped_bytes_};
}

}  // namespace neardup
