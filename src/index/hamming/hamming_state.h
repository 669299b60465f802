// HammingIndex::State: an image, and whoever keeps its bytes.
#pragma once

#include <memory>
#include <utility>

#include "index/hamming/hamming_image.h"
#include "neardup/hamming_index.h"

namespace neardup {

/// What keeps the bytes of an image, in memory or mapped.
class ByteOwner {
 public:
  virtual ~ByteOwner() = default;
};

template <typename Code>
struct HammingIndex<Code>::State {
  std::unique_ptr<const ByteOwner> owner;
  HammingImage<Code> image;

  /// Throws as HammingImage does, and when the image has no ids.
  State(std::unique_ptr<const ByteOwner> bytes_owner, const char* begin, size_t bytes, const BlockGuard* guard, const std::string& name)
      : owner(std::move(bytes_owner)), image(begin, bytes, guard, name) {
    if (!image.has_ids()) image.refuse("an index without ids");
  }
};

}  // namespace neardup
