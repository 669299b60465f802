// Building and changing the double array of jieba_format.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/jieba/dictionary/jieba_format.h"

namespace neardup::jieba {

/// Assigns bases: every base once, no two nodes in one slot. Grows the arrays as needed; they keep `codes` slots after the last base.
class BaseFinder {
 public:
  BaseFinder(std::vector<Slot>& slots, size_t codes) : slots_(slots), codes_(codes), from_one_(codes + 1) { grow(codes + kNoChildren + 1); }
  /// Takes over an array that is in use.
  void adopt();

  /// A base at which all of these codes (ascending, at least one) are free. Throws Error{kResource} when the trie gets too large.
  uint32_t find(const std::vector<uint16_t>& labels);
  /// Marks the base and its slots as used. For the root, too.
  void take(uint32_t base, const std::vector<uint16_t>& labels);
  [[nodiscard]] bool is_taken(uint32_t slot) const { return slot < taken_.size() && taken_[slot]; }
  void free_slot(uint32_t slot) { taken_[slot] = false; }
  void free_base(uint32_t base) { bases_[base] = false; }

 private:
  void grow(size_t slots);
  [[nodiscard]] bool fits(uint32_t base, const std::vector<uint16_t>& labels) const;

  static constexpr size_t kSizes = 64;
  std::vector<Slot>& slots_;
  size_t codes_;
  std::vector<bool> taken_;
  std::vector<bool> bases_;
  uint32_t first_free_ = 1;     // no slot below is free
  uint32_t from_[kSizes] = {};  // where to start searching for a number of labels: lower holes were too small before
  // Where to start searching for one label, by label: below, no free slot has a free base. Slots that become free again are not reused: a
  // search from the first free slot would scan all others for each node with one child, and most nodes have one.
  std::vector<uint32_t> from_one_;
};

/// The value of a word in its node.
struct TrieWord {
  std::u16string codes;
  uint32_t value = kNotAKey;
  uint32_t idf_id = 0;
  uint16_t tag = 0;
  uint64_t popularity = 0;  ///< frequent words are placed close together
};

struct Trie {
  std::vector<Slot> slots;
  std::vector<uint32_t> idf_ids;
  std::vector<uint16_t> tags;  ///< slot -> tag of the word; filled up with 0

  void fill_up() {
    idf_ids.resize(slots.size(), 0);
    tags.resize(slots.size(), 0);
  }
};
/// `words` are sorted by codes, without repetition; `codes` is one more than the largest code. Every proper prefix of a word with a value
/// gets at least kPrefixOnly.
Trie build_trie(const std::vector<TrieWord>& words, size_t codes);

/// Changes a trie: a node in the slot of another one's child moves with its siblings.
class TrieEditor {
 public:
  TrieEditor(Trie trie, size_t codes);
  /// Sets the value of a word (not empty); nodes on the path that are new, or not keys, become kPrefixOnly.
  /// Returns its node, until the next call.
  uint32_t set(std::u16string_view word, uint32_t value);
  void set_tag(uint32_t node, uint16_t tag) { trie_.tags[node] = tag; }
  Trie take() { return std::move(trie_); }

 private:
  uint32_t add_child(uint32_t node, uint16_t code);
  void move_children(uint32_t node, uint16_t and_code);

  Trie trie_;
  size_t codes_;
  BaseFinder finder_;
};

}  // namespace neardup::jieba
