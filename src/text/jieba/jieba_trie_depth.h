// trie_depth(): how long the longest word of a dictionary file is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "text/jieba/jieba_slots.h"

namespace neardup::jieba {

/// Steps from the root to the node farthest from it. Empty if two nodes have the same base, so that the slots are not a tree. `codes`:
/// labels from there on are of empty slots. Time and memory in proportion to the slots.
std::optional<size_t> trie_depth(std::span<const Slot> slots, size_t codes);

}  // namespace neardup::jieba
