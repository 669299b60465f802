// SideBytes: bytes that wait for their place in a sink, in memory up to a bound, then in a temporary file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_sink.h"
#include "base/page_buffer.h"
#include "base/raw_vector.h"
#include "base/temp_file.h"

namespace neardup {

class SideBytes final : public ByteSink {
 public:
  /// `memory_bytes` 0: no bound.
  SideBytes(uint64_t memory_bytes, std::string temp_dir) : memory_bytes_(memory_bytes), temp_directory_(std::move(temp_dir)) {}

  void append(std::string_view bytes) override {
    if (memory_bytes_ != 0 && waiting_.size() + bytes.size() > memory_bytes_) {
      if (!file_) file_.emplace(temp_directory_);
      file_->append(waiting_.data(), waiting_.size());
      waiting_.reset(0);
    }
    waiting_.append(bytes);
  }
  [[nodiscard]] uint64_t size() const noexcept override { return (file_ ? file_->size() : 0) + waiting_.size(); }
  /// Of these, in memory.
  [[nodiscard]] uint64_t waiting_bytes() const noexcept { return waiting_.size(); }

  void move_to(ByteSink& sink) {
    if (file_) {
      RawVector<char> chunk(kChunk);
      for (uint64_t at = 0; at < file_->size(); at += chunk.size()) {
        chunk.resize(std::min<uint64_t>(kChunk, file_->size() - at));
        file_->read(at, chunk.data(), chunk.size());
        sink.append(view_of(chunk));
      }
      file_.reset();
    }
    sink.append({waiting_.data(), waiting_.size()});
    waiting_.reset(0);
    waiting_.shrink();
  }

 private:
  static constexpr uint64_t kChunk = 1 << 20;

  uint64_t memory_bytes_;
  std::string temp_directory_;
  PageBuffer waiting_;
  std::optional<TempFile> file_;
};

}  // namespace neardup
