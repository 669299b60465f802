#include "text/jieba/dictionary/jieba_other_words.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "text/jieba/dictionary/jieba_double_array.h"
#include "text/utf8/utf8.h"

namespace neardup::jieba {
namespace {

using Words = std::map<std::u16string, TrieWord>;  // by codes, as build_trie() needs them

std::optional<std::u16string> codes_of(const JiebaDictionary& base, std::string_view word) {
  std::u16string codes;
  for (size_t at = 0; at < word.size();) {
    const Decoded decoded = decode_utf8(word, at);
    at += decoded.length;
    const uint16_t code = base.code_of(decoded.code_point);
    if (code == 0) return std::nullopt;
    codes.push_back(code);
  }
  return codes;
}

// The words of the IDF table. A slot knows its label only; the slot less the label is the base of its parent, and no two nodes have one
// base.
void add_idf_words(const Tables& tables, Words& words) {
  if (tables.idf.empty()) return;
  std::vector<uint32_t> node_of_base(tables.slots.size(), 0);
  for (uint32_t node = 0; node < tables.slots.size(); ++node) {
    if (label_of(tables.slots[node]) != kEmptyLabel) node_of_base[base_of(tables.slots[node])] = node;
  }
  for (uint32_t word = 0; word < tables.idf_ids.size(); ++word) {
    if (tables.idf_ids[word] == 0) continue;
    std::u16string codes;
    for (uint32_t node = word;; node = node_of_base[node - label_of(tables.slots[node])]) {
      codes.push_back(label_of(tables.slots[node]));
      if (node - label_of(tables.slots[node]) == kRootBase) break;
    }
    std::reverse(codes.begin(), codes.end());
    TrieWord& made = words[codes];
    made.codes = std::move(codes);
    made.idf_id = tables.idf_ids[word];
  }
}

}  // namespace

JiebaDictionary with_other_words(const JiebaDictionary& base, const std::vector<WordCount>& words) {
  const Tables& tables = base.tables();
  JiebaDictionary::Changes made;
  std::map<uint64_t, uint32_t, std::greater<>> values;  // frequent words have the first numbers
  for (const WordCount& word : words) {
    made.total += word.frequency;
    if (word.frequency > 0) values[word.frequency] = 0;
  }
  made.counts = {0, 0};
  for (auto& [frequency, value] : values) {
    value = static_cast<uint32_t>(made.counts.size());
    made.counts.push_back(frequency);
  }
  values[0] = kPrefixOnly;
  const double log_total = std::log(static_cast<double>(made.total));
  for (const uint64_t count : made.counts) {
    made.logs.push_back(std::log(static_cast<double>(std::max<uint64_t>(count, 1))));
    made.weights.push_back(made.logs.back() - log_total);
  }

  std::unordered_map<std::string_view, uint16_t> tags;
  if (base.has_tags()) {
    std::set<std::string_view> names;
    for (const WordCount& word : words) names.insert(word.tag);
    names.erase("");
    for (const std::string_view known : split_tags(tables.tags.names)) names.erase(known);
    made.tag_names = tables.tags.names;
    for (const std::string_view name : names) (made.tag_names += name) += '\n';
    for (const std::string_view name : split_tags(made.tag_names)) tags.emplace(name, static_cast<uint16_t>(tags.size()));
  }
  Words entries;
  add_idf_words(tables, entries);
  for (const WordCount& word : words) {
    std::optional<std::u16string> codes = codes_of(base, word.word);
    if (!codes || codes->empty()) continue;
    TrieWord& entry = entries[*codes];
    entry.codes = std::move(*codes);
    entry.value = values.at(word.frequency);
    entry.popularity = word.frequency + 1;
    if (!base.has_tags()) continue;
    const uint32_t node = base.find(word.word);
    entry.tag = !word.tag.empty() ? tags.at(word.tag) : node != 0 ? tables.tags.word_tags[node] : uint16_t{0};
  }
  std::vector<TrieWord> sorted;
  sorted.reserve(entries.size());
  for (auto& [codes, entry] : entries) sorted.push_back(std::move(entry));
  Trie trie = build_trie(sorted, tables.alphabet.size());
  made.slots = std::move(trie.slots);
  if (base.has_idf()) made.idf_ids = std::move(trie.idf_ids);
  if (base.has_tags()) made.word_tags = std::move(trie.tags);
  return JiebaDictionary::changed(base, std::move(made));
}

}  // namespace neardup::jieba
