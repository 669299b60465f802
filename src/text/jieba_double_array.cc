#include "text/jieba_double_array.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/error.h"

namespace neardup::jieba {

BaseFinder BaseFinder::of(std::vector<Slot>& slots, size_t codes) {
  BaseFinder finder(slots, codes);
  finder.bases_[kRootBase] = true;
  for (size_t i = 0; i < slots.size(); ++i) {
    finder.taken_[i] = label_of(slots[i]) != kEmptyLabel;
    finder.bases_[base_of(slots[i])] = true;
  }
  return finder;
}

void BaseFinder::grow(size_t slots) {
  if (slots > slots_.size()) slots_.resize(slots, kEmptySlot);
  taken_.resize(slots_.size(), false);
  bases_.resize(slots_.size(), false);
  bases_[kNoChildren] = true;
}

bool BaseFinder::fits(uint32_t base, const std::vector<uint16_t>& labels) const {
  if (base < bases_.size() && bases_[base]) return false;
  return std::none_of(labels.begin(), labels.end(), [&](uint16_t label) { return base + label < taken_.size() && taken_[base + label]; });
}

uint32_t BaseFinder::find(const std::vector<uint16_t>& labels) {
  while (first_free_ < taken_.size() && taken_[first_free_]) ++first_free_;
  const size_t size = std::min(labels.size(), kSizes) - 1;
  uint32_t slot = std::max({from_[size], first_free_, static_cast<uint32_t>(labels.front()) + kNoChildren + 1});
  while (!((slot >= taken_.size() || !taken_[slot]) && fits(slot - labels.front(), labels))) ++slot;
  from_[size] = labels.size() == 1 ? 0 : slot;
  return slot - labels.front();
}

void BaseFinder::take(uint32_t base, const std::vector<uint16_t>& labels) {
  if (base > kMaxBase) throw Error(ErrorCode::kResource, fmt::format("the dictionary needs more than {} slots", kMaxBase));
  grow(std::max(slots_.size(), size_t{base} + codes_ + 1));
  bases_[base] = true;
  for (const uint16_t label : labels) taken_[base + label] = true;
}

namespace {

// A node whose children are to be placed: its words, and how many codes of them are behind it.
struct Pending {
  size_t begin;
  size_t end;
  size_t depth;
  uint32_t slot;  // 0 for the root
  uint64_t popularity;
};

class Builder {
 public:
  Builder(const std::vector<TrieWord>& words, size_t codes) : words_(words), finder_(trie_.slots, codes), popularity_(words.size() + 1) {
    for (size_t i = 0; i < words.size(); ++i) popularity_[i + 1] = popularity_[i] + words[i].popularity;
  }

  Trie build() {
    std::vector<Pending> level{{0, words_.size(), 0, 0, 0}};
    while (!level.empty()) {
      std::stable_sort(level.begin(), level.end(), [](const Pending& a, const Pending& b) { return a.popularity > b.popularity; });
      std::vector<Pending> next;
      for (const Pending& node : level) place(node, next);
      level = std::move(next);
    }
    trie_.idf_ids.resize(trie_.slots.size(), 0);
    return std::move(trie_);
  }

 private:
  void place(const Pending& node, std::vector<Pending>& next) {
    labels_.clear();
    const size_t first = next.size();
    for (size_t begin = node.begin; begin < node.end;) {
      const char16_t code = words_[begin].codes[node.depth];
      size_t end = begin + 1;
      while (end < node.end && words_[end].codes[node.depth] == code) ++end;
      labels_.push_back(code);
      next.push_back({begin, end, node.depth + 1, 0, popularity_[end] - popularity_[begin]});
      begin = end;
    }
    if (labels_.empty()) return;
    const uint32_t base = node.slot == 0 ? kRootBase : finder_.find(labels_);
    finder_.take(base, labels_);
    if (node.slot != 0) {
      const Slot slot = trie_.slots[node.slot];
      trie_.slots[node.slot] = make_slot(base, value_of(slot), label_of(slot));
    }
    trie_.idf_ids.resize(trie_.slots.size(), 0);
    for (size_t i = 0; i < labels_.size(); ++i) settle(next[first + i], base + labels_[i], labels_[i]);
    next.erase(std::remove_if(next.begin() + static_cast<std::ptrdiff_t>(first), next.end(),
                              [](const Pending& child) { return child.begin == child.end; }),
               next.end());
  }

  void settle(Pending& child, uint32_t slot, uint16_t label) {
    child.slot = slot;
    uint32_t value = kNotAKey;
    const bool is_word = words_[child.begin].codes.size() == child.depth;
    const bool key =
        std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(child.begin), words_.begin() + static_cast<std::ptrdiff_t>(child.end),
                    [](const TrieWord& word) { return word.value != kNotAKey; });
    if (key) value = is_word ? std::max(words_[child.begin].value, kPrefixOnly) : kPrefixOnly;
    trie_.slots[slot] = make_slot(kNoChildren, value, label);
    if (is_word) trie_.idf_ids[slot] = words_[child.begin].idf_id;
    if (is_word) ++child.begin;
  }

  const std::vector<TrieWord>& words_;
  Trie trie_;
  BaseFinder finder_;
  std::vector<uint64_t> popularity_;
  std::vector<uint16_t> labels_;
};

}  // namespace

Trie build_trie(const std::vector<TrieWord>& words, size_t codes) {
  return Builder(words, codes).build();
}

}  // namespace neardup::jieba
