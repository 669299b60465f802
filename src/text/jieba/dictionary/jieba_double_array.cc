#include "text/jieba/dictionary/jieba_double_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "neardup/error.h"

namespace neardup::jieba {

void BaseFinder::adopt() {
  for (size_t i = 0; i < slots_.size(); ++i) {
    taken_[i] = i < codes_ || label_of(slots_[i]) != kEmptyLabel;
    bases_[base_of(slots_[i])] = true;
  }
}

void BaseFinder::grow(size_t slots) {
  if (slots > slots_.size()) slots_.resize(slots, kEmptySlot);
  taken_.resize(slots_.size(), false);
  bases_.resize(slots_.size(), false);
  bases_[kRootBase] = bases_[kNoChildren] = true;
}

bool BaseFinder::fits(uint32_t base, const std::vector<uint16_t>& labels) const {
  if (base < bases_.size() && bases_[base]) return false;
  return std::none_of(labels.begin(), labels.end(), [&](uint16_t label) { return base + label < taken_.size() && taken_[base + label]; });
}

uint32_t BaseFinder::find(const std::vector<uint16_t>& labels) {
  while (first_free_ < taken_.size() && taken_[first_free_]) ++first_free_;
  uint32_t& from = labels.size() == 1 ? from_one_[labels.front()] : from_[std::min(labels.size(), kSizes) - 1];
  uint32_t slot = std::max({from, first_free_, static_cast<uint32_t>(labels.front()) + kNoChildren + 1});
  while (!((slot >= taken_.size() || !taken_[slot]) && fits(slot - labels.front(), labels))) ++slot;
  from = slot;
  return slot - labels.front();
}

void BaseFinder::take(uint32_t base, const std::vector<uint16_t>& labels) {
  if (base > kMaxBase) throw Error(ErrorCode::kResource, fmt::format("the dictionary needs more than {} slots", kMaxBase));
  grow(std::max(slots_.size(), size_t{base} + codes_ + 1));
  bases_[base] = true;
  for (const uint16_t label : labels) taken_[base + label] = true;
}

namespace {

// A node whose children must be placed: its words, and the number of their codes after it.
struct Pending {
  size_t begin;
  size_t end;
  size_t depth;
  uint32_t slot;  // 0 for the root
  uint64_t popularity;
};

class Builder {
 public:
  Builder(const std::vector<TrieWord>& words, size_t codes)
      : words_(words), codes_(codes), finder_(trie_.slots, codes), popularity_(words.size() + 1) {
    for (size_t i = 0; i < words.size(); ++i) popularity_[i + 1] = popularity_[i] + words[i].popularity;
  }

  Trie build() {
    // The root does not move, so all its slots are reserved: words may be added later.
    std::vector<uint16_t> all(codes_ - 1);
    std::iota(all.begin(), all.end(), uint16_t{1});
    finder_.take(kRootBase, all);
    std::vector<Pending> level{{0, words_.size(), 0, 0, 0}};
    while (!level.empty()) {
      std::stable_sort(level.begin(), level.end(), [](const Pending& a, const Pending& b) { return a.popularity > b.popularity; });
      std::vector<Pending> next;
      for (const Pending& node : level) place(node, next);
      level = std::move(next);
    }
    trie_.fill_up();
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
    if (node.slot != 0) finder_.take(base, labels_);
    if (node.slot != 0) {
      const Slot slot = trie_.slots[node.slot];
      trie_.slots[node.slot] = make_slot(base, value_of(slot), label_of(slot));
    }
    trie_.fill_up();
    for (size_t i = 0; i < labels_.size(); ++i) place(next[first + i], base + labels_[i], labels_[i]);
    next.erase(std::remove_if(next.begin() + static_cast<std::ptrdiff_t>(first), next.end(),
                              [](const Pending& child) { return child.begin == child.end; }),
               next.end());
  }

  void place(Pending& child, uint32_t slot, uint16_t label) {
    child.slot = slot;
    uint32_t value = kNotAKey;
    const bool is_word = words_[child.begin].codes.size() == child.depth;
    const bool key =
        std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(child.begin), words_.begin() + static_cast<std::ptrdiff_t>(child.end),
                    [](const TrieWord& word) { return word.value != kNotAKey; });
    if (key) value = is_word ? std::max(words_[child.begin].value, kPrefixOnly) : kPrefixOnly;
    trie_.slots[slot] = make_slot(kNoChildren, value, label);
    if (is_word) trie_.idf_ids[slot] = words_[child.begin].idf_id;
    if (is_word) trie_.tags[slot] = words_[child.begin].tag;
    if (is_word) ++child.begin;
  }

  const std::vector<TrieWord>& words_;
  size_t codes_;
  Trie trie_;
  BaseFinder finder_;
  std::vector<uint64_t> popularity_;
  std::vector<uint16_t> labels_;
};

}  // namespace

Trie build_trie(const std::vector<TrieWord>& words, size_t codes) {
  return Builder(words, codes).build();
}

TrieEditor::TrieEditor(Trie trie, size_t codes) : trie_(std::move(trie)), codes_(codes), finder_(trie_.slots, codes) {
  finder_.adopt();
  trie_.fill_up();
}

uint32_t TrieEditor::set(std::u16string_view word, uint32_t value) {
  uint32_t node = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    const auto code = static_cast<uint16_t>(word[i]);
    uint32_t child = (i == 0 ? kRootBase : base_of(trie_.slots[node])) + code;
    if (label_of(trie_.slots[child]) != code) {
      child = i == 0 ? child : add_child(node, code);
      trie_.slots[child] = make_slot(kNoChildren, kNotAKey, code);
    }
    const Slot slot = trie_.slots[child];
    const uint32_t prefix_value = std::max(value_of(slot), kPrefixOnly);
    trie_.slots[child] = make_slot(base_of(slot), i + 1 == word.size() ? value : prefix_value, code);
    node = child;
  }
  return node;
}

uint32_t TrieEditor::add_child(uint32_t node, uint16_t code) {
  if (base_of(trie_.slots[node]) == kNoChildren || finder_.is_taken(base_of(trie_.slots[node]) + code)) {
    move_children(node, code);
  } else {
    finder_.take(base_of(trie_.slots[node]), {code});
  }
  trie_.fill_up();
  return base_of(trie_.slots[node]) + code;
}

void TrieEditor::move_children(uint32_t node, uint16_t and_code) {
  const uint32_t from = base_of(trie_.slots[node]);
  std::vector<uint16_t> labels;
  for (uint32_t code = 1; code < codes_; ++code) {
    if (code == and_code || label_of(trie_.slots[from + code]) == code) labels.push_back(static_cast<uint16_t>(code));
  }
  const uint32_t to = finder_.find(labels);
  finder_.take(to, labels);
  trie_.fill_up();
  for (const uint16_t label : labels) {
    if (label == and_code) continue;
    trie_.slots[to + label] = trie_.slots[from + label];
    trie_.idf_ids[to + label] = trie_.idf_ids[from + label];
    trie_.slots[from + label] = kEmptySlot;
    trie_.idf_ids[from + label] = 0;
    trie_.tags[to + label] = trie_.tags[from + label];
    trie_.tags[from + label] = 0;
    finder_.free_slot(from + label);
  }
  if (from != kNoChildren) finder_.free_base(from);
  trie_.slots[node] = make_slot(to, value_of(trie_.slots[node]), label_of(trie_.slots[node]));
}

}  // namespace neardup::jieba
