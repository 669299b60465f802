// for_each_equal_key: which documents have a key in common, without sorting all of them.
//
// Keys are scattered by their top bits into buckets that fit the cache, and every bucket is grouped by a small hash table. Memory is
// 16 bytes a key; when that exceeds what is given, the keys are taken in several ranges, one sweep over the producer each.
#pragma once

#include <cstdint>
#include <functional>

namespace neardup {

struct KeyProducer {
  using Emit = std::function<void(uint64_t key, uint32_t document)>;
  /// How many parts the keys come in. Parts are read in parallel, each several times, and must give the same keys every time.
  size_t parts = 0;
  /// An upper bound of the number of keys.
  uint64_t keys = 0;
  /// The keys are uniform in [0, 2^key_bits).
  uint32_t key_bits = 64;
  /// Calls emit for all keys of a part, in a fixed order.
  std::function<void(uint32_t worker, size_t part, const Emit& emit)> read;
};

/// Calls equal(worker, first, later) for every document whose key an earlier one (in part order, then emission order) has, with
/// the first document of that key. Calls come from several threads at once, in no fixed order; their set is fixed.
void for_each_equal_key(uint32_t threads, uint64_t memory_bytes, const KeyProducer& producer,
                        const std::function<void(uint32_t worker, uint32_t first, uint32_t later)>& equal);

}  // namespace neardup
