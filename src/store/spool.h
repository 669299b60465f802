// Spool: bytes that are appended first and looked at as a whole afterwards; in memory up to a bound, then in a temporary file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/raw_vector.h"
#include "base/temp_file.h"

namespace neardup {

class Spool {
 public:
  /// `memory_bytes` 0: no bound. For the folder see temp_folder().
  Spool(uint64_t memory_bytes, std::string temp_dir);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  /// Throws Error{kOutput} when the disk is full.
  void append(const void* data, size_t bytes);
  template <typename T>
  void add(const T& value) {
    append(&value, sizeof value);
  }
  [[nodiscard]] uint64_t size() const noexcept { return (file_ ? file_->size() : 0) + waiting_.size(); }

  /// Of these, in memory.
  [[nodiscard]] uint64_t waiting_bytes() const noexcept { return waiting_.size(); }

  /// Everything appended; nothing is appended any more.
  [[nodiscard]] std::span<const char> bytes();
  /// As an array of what add() was given.
  template <typename T>
  [[nodiscard]] std::span<const T> values() {
    const std::span<const char> all = bytes();
    return {reinterpret_cast<const T*>(all.data()), all.size() / sizeof(T)};
  }

 private:
  void spill();

  uint64_t memory_bytes_;
  std::string temp_dir_;
  RawVector<char> waiting_;
  std::optional<TempFile> file_;  // once the bound was passed
  void* mapped_ = nullptr;
  size_t mapped_bytes_ = 0;
};

}  // namespace neardup
