// HammingIndexAccess: gives the implementation the image of a HammingIndex, and indexes over given bytes. for_each_entry(): all entries in
// order.
//
// Thread rule: nothing here changes an index; any number of threads may use the same one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/block_guard.h"
#include "index/hamming/hamming_image.h"
#include "neardup/hamming_index.h"

namespace neardup {

/// Owns the bytes of an image, in memory or mapped.
class ByteOwner {
 public:
  virtual ~ByteOwner() = default;
};

template <typename Code>
struct HammingIndex<Code>::Impl {
  std::unique_ptr<const ByteOwner> owner;
  HammingImage<Code> image;

  Impl(std::unique_ptr<const ByteOwner> bytes_owner, const char* begin, size_t bytes, const BlockGuard* guard, const std::string& name)
      : owner(std::move(bytes_owner)), image(begin, bytes, guard, name) {
    if (!image.has_ids()) image.refuse("an index without ids");
  }
};

struct HammingIndexAccess {
  /// The index with these bytes as image. `owner` keeps them alive; null: they outlive the index. Throws as HammingImage does, and when the
  /// image has no ids.
  template <typename Code>
  static HammingIndex<Code> over(std::unique_ptr<const ByteOwner> owner, const char* begin, size_t bytes, const BlockGuard* guard,
                                 const std::string& name) {
    return HammingIndex<Code>(std::make_unique<const typename HammingIndex<Code>::Impl>(std::move(owner), begin, bytes, guard, name));
  }
  template <typename Code>
  static const HammingImage<Code>& image(const HammingIndex<Code>& index) noexcept {
    return index.impl_->image;
  }
};

/// Calls visit(code, id) for all entries in the order of the first table; equal codes come together, their ids ascending. Reads forward.
/// Throws Error{kInput} when the file is damaged.
template <typename Code, typename Visit>
void for_each_entry(const HammingIndex<Code>& index, const Visit& visit) {
  constexpr size_t kCodesAtOnce = 1 << 12;
  const HammingImage<Code>& image = HammingIndexAccess::image(index);
  WordWalk<Code> walk(image);
  std::vector<CodeWord<Code>> words;
  for (uint64_t position = 0; walk.next(kCodesAtOnce, words);) {
    for (const CodeWord<Code> word : words) {
      const Code code = code_of(image.order().restore(word));
      const ItemRange places = image.ids_of(position++);
      for (uint64_t place = places.begin; place < places.end; ++place) visit(code, image.id(place));
    }
  }
}

}  // namespace neardup
