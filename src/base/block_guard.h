// BlockGuard: verifies mapped bytes before their first use, a block at a time.
//
// An index in a file is opened without reading it. Queries announce the bytes that they are about to read; the guard verifies their blocks
// on first use and remembers that, so that each block is verified once and later checks cost one load. Thread-safe; two threads may verify
// the same block at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace neardup {

class BlockGuard {
 public:
  static constexpr size_t kBlockBytes = size_t{1} << 14;

  BlockGuard(const BlockGuard&) = delete;
  BlockGuard& operator=(const BlockGuard&) = delete;
  virtual ~BlockGuard() = default;

  /// [at, at + bytes) lies in the guarded bytes. Throws Error{kInput} naming the file and the block that is damaged.
  void check(const void* at, size_t bytes) const {
    if (bytes == 0) return;
    const auto begin = static_cast<size_t>(static_cast<const char*>(at) - begin_);
    const size_t first = begin / kBlockBytes;
    const size_t last = (begin + bytes - 1) / kBlockBytes;
    for (size_t block = first; block <= last; ++block) {
      if (sound_[block].load(std::memory_order_relaxed) == 0) [[unlikely]] {
        verify(block);
        sound_[block].store(1, std::memory_order_relaxed);
      }
    }
  }

 protected:
  BlockGuard(const char* begin, size_t bytes) : begin_(begin), sound_((bytes + kBlockBytes - 1) / kBlockBytes) {}
  /// Throws when bytes [block * kBlockBytes, + kBlockBytes) differ from those written.
  virtual void verify(size_t block) const = 0;

 private:
  const char* begin_;
  mutable std::vector<std::atomic<uint8_t>> sound_;
};

}  // namespace neardup
