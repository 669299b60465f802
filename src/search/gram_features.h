// gram_features(): the set of grams of a form, by which kResembles compares. for_each_gram(): the grams in their order.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "index/anchors/anchor_shape.h"
#include "text/clue/clue_form.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {

/// Calls visit(first byte, byte after the last one) for each gram of a form: the shortest run of whole code points from each code point on
/// that has shape.gram columns. A form that is shorter is one gram, unless it is empty.
template <typename Visit>
void for_each_gram(std::string_view form, const AnchorShape& shape, const Visit& visit) {
  const auto& classes = word_classes();
  size_t begin = 0;
  size_t end = 0;
  uint32_t columns = 0;  // of [begin, end)
  bool any = false;
  while (begin < form.size()) {
    while (columns < shape.gram && end < form.size()) {
      const Decoded decoded = decode_quickly(form, end);
      columns += columns_of(decoded.code_point, classes);
      end += decoded.length;
    }
    if (columns < shape.gram && any) return;
    visit(begin, end);
    if (columns < shape.gram) return;
    any = true;
    const Decoded first = decode_quickly(form, begin);
    columns -= columns_of(first.code_point, classes);
    begin += first.length;
  }
}

inline uint64_t gram_feature(std::string_view form, size_t begin, size_t end) noexcept {
  return hash64(form.substr(begin, end - begin));
}

/// The gram that begins at a byte.
inline std::string_view gram_at(std::string_view form, size_t begin, const AnchorShape& shape) noexcept {
  uint32_t columns = 0;
  size_t end = begin;
  while (columns < shape.gram && end < form.size()) {
    const Decoded decoded = decode_quickly(form, end);
    columns += columns_of(decoded.code_point);
    end += decoded.length;
  }
  return form.substr(begin, end - begin);
}

/// Replaces `out` by the hashes of the grams, ascending, each once.
void gram_features(std::string_view form, const AnchorShape& shape, std::vector<uint64_t>& out);
/// The number of common values of two ascending lists.
uint32_t count_common(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) noexcept;

}  // namespace neardup
