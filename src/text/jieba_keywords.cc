#include "text/jieba_keywords.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "neardup/error.h"
#include "text/jieba_sources.h"
#include "text/utf8.h"

namespace neardup {

using jieba::Slot;

size_t JiebaKeywordExtractor::Hash::operator()(std::string_view text) const noexcept {
  return hash64(text);
}

JiebaKeywordExtractor::JiebaKeywordExtractor(const JiebaDictionary& dictionary, const JiebaKeywordOptions& options)
    : dictionary_(dictionary) {
  if (!dictionary.has_hmm()) throw Error(ErrorCode::kUsage, "the dictionary has no HMM tables, which keywords need: build it with --hmm");
  if (options.idf_file.empty()) {
    if (!dictionary.has_idf())
      throw Error(ErrorCode::kUsage, "the dictionary has no IDF table, which keywords need: build it with --idf, or name one");
    ids_ = dictionary.tables().idf_ids.data();
    idf_ = dictionary.tables().idf.data();
  } else {
    read_idf(options.idf_file);
  }
  median_ = idf_[0];
  const auto add = [&](std::string_view list, const std::string& file) {
    for (std::string& word : jieba::parse_stop_words(list, file)) {
      if (word.empty()) continue;
      const auto byte = static_cast<uint8_t>(word[0]);
      stop_bytes_[byte] = true;
      if (byte >= 'a' && byte <= 'z') stop_bytes_[byte - ('a' - 'A')] = true;
      stop_words_.insert(std::move(word));
    }
  };
  add(dictionary.tables().stop_words, "the dictionary");
  if (!options.stop_words_file.empty()) add(jieba::read_source(options.stop_words_file), options.stop_words_file);
}

void JiebaKeywordExtractor::read_idf(const std::string& file) {
  const std::vector<jieba::WordIdf> table = jieba::parse_idf(jieba::read_source(file), file);
  own_ids_.assign(dictionary_.tables().slots.size(), 0);
  own_idf_ = {jieba::median_idf(table)};
  for (const jieba::WordIdf& entry : table) {
    const uint32_t node = dictionary_.find(entry.word);
    if (node == 0) {
      other_idf_[entry.word] = entry.idf;
    } else {
      own_ids_[node] = static_cast<uint32_t>(own_idf_.size());
      own_idf_.push_back(entry.idf);
    }
  }
  ids_ = own_ids_.data();
  idf_ = own_idf_.data();
}

// The stop words are compared with the word in lower case; such words are Han and ASCII only.
bool JiebaKeywordExtractor::is_stop_word(std::string_view word, std::string& lower) const {
  if (!stop_bytes_[static_cast<uint8_t>(word[0])]) return false;
  lower.assign(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return stop_words_.contains(std::string_view(lower));
}

// The node of what the HMM joined, if the trie has it.
uint32_t JiebaKeywordExtractor::node_of(const jieba::Lattice& lattice, size_t begin, size_t end) const {
  const Slot* slots = dictionary_.tables().slots.data();
  uint32_t node = lattice.pair_nodes()[begin];
  for (size_t k = begin + 2; node != 0 && k < end; ++k) {
    const uint16_t code = lattice.codes()[k];
    const uint32_t next = jieba::base_of(slots[node]) + code;
    node = jieba::label_of(slots[next]) == code ? next : 0;
  }
  return node;
}

void JiebaKeywordExtractor::add(JiebaKeywordScratch& scratch, std::string_view word, uint32_t node) const {
  using Entry = JiebaKeywordScratch::Entry;
  if (2 * scratch.entries.size() >= scratch.table.size()) {
    scratch.table.assign(std::max<size_t>(1024, scratch.table.size() * 2), 0);
    for (uint32_t i = 0; i < scratch.entries.size(); ++i) {
      size_t at = mix64(scratch.entries[i].key) & (scratch.table.size() - 1);
      while (scratch.table[at] != 0) at = (at + 1) & (scratch.table.size() - 1);
      scratch.table[at] = i + 1;
      scratch.entries[i].slot = static_cast<uint32_t>(at);
    }
  }
  const uint64_t key = node != 0 ? node : hash64(word) | uint64_t{1} << 63;
  size_t at = mix64(key) & (scratch.table.size() - 1);
  for (; scratch.table[at] != 0; at = (at + 1) & (scratch.table.size() - 1)) {
    Entry& entry = scratch.entries[scratch.table[at] - 1];
    if (entry.key != key || (node == 0 && entry.word != word)) continue;
    if (entry.count != kStopped) ++entry.count;
    return;
  }
  double idf = median_;
  if (node != 0) {
    idf = idf_[ids_[node]];
  } else if (!other_idf_.empty()) {
    const auto found = other_idf_.find(word);
    if (found != other_idf_.end()) idf = found->second;
  }
  scratch.entries.push_back({word, key, idf, is_stop_word(word, scratch.lower) ? kStopped : 1, static_cast<uint32_t>(at)});
  scratch.table[at] = static_cast<uint32_t>(scratch.entries.size());
}

void JiebaKeywordExtractor::count_batch(JiebaKeywordScratch& scratch) const {
  jieba::Lattice& lattice = scratch.segmenter.lattice;
  const uint64_t* starts = lattice.starts();
  const uint32_t* lengths = lattice.lengths();
  size_t begin = lattice.size();
  for (size_t i = 0; i < lattice.bit_words(); ++i) {
    for (uint64_t bits = starts[i]; bits != 0; bits &= bits - 1) {
      const size_t end = i * 64 + static_cast<size_t>(std::countr_zero(bits));
      if (begin + 1 < end)
        add(scratch, lattice.bytes(begin, end), lengths[begin] > 1 ? lattice.nodes()[begin] : node_of(lattice, begin, end));
      begin = end;
    }
  }
  const size_t end = lattice.size();
  if (begin + 1 < end) add(scratch, lattice.bytes(begin, end), lengths[begin] > 1 ? lattice.nodes()[begin] : node_of(lattice, begin, end));
}

bool JiebaKeywordExtractor::count(std::string_view text, JiebaKeywordScratch& scratch) const {
  for (const auto& entry : scratch.entries) scratch.table[entry.slot] = 0;
  scratch.entries.clear();
  jieba::Lattice& lattice = scratch.segmenter.lattice;
  for (size_t at = 0; at < text.size();) {
    bool valid = true;
    at = lattice.read(dictionary_, text, at, false, valid);
    if (!valid) return false;
    lattice.find_words(dictionary_);
    lattice.find_route<true>(dictionary_);
    scratch.segmenter.final_segmenter.join_by_hmm(dictionary_, lattice);
    count_batch(scratch);
  }
  return true;
}

std::span<const JiebaKeyword> JiebaKeywordExtractor::extract(std::string_view text, size_t top, JiebaKeywordScratch& scratch) const {
  if (!count(text, scratch)) {
    repair_utf8(text, scratch.segmenter.repaired);
    count(scratch.segmenter.repaired, scratch);
  }
  double total = 0;
  for (const auto& entry : scratch.entries) total += entry.count == kStopped ? 0 : entry.count;
  scratch.order.clear();
  for (uint32_t i = 0; i < scratch.entries.size(); ++i) {
    const auto& entry = scratch.entries[i];
    if (entry.count != kStopped) scratch.order.push_back({entry.count * (entry.idf / total), i});
  }
  const size_t wanted = top == 0 ? scratch.order.size() : std::min(top, scratch.order.size());
  using Ranked = JiebaKeywordScratch::Ranked;
  const auto better = [](const Ranked& a, const Ranked& b) { return a.weight != b.weight ? a.weight > b.weight : a.entry < b.entry; };
  const auto last = scratch.order.begin() + static_cast<std::ptrdiff_t>(wanted);
  if (last != scratch.order.end()) std::nth_element(scratch.order.begin(), last, scratch.order.end(), better);
  std::sort(scratch.order.begin(), last, better);
  scratch.keywords.clear();
  for (size_t i = 0; i < wanted; ++i) {
    scratch.keywords.push_back({scratch.entries[scratch.order[i].entry].word, scratch.order[i].weight});
  }
  return scratch.keywords;
}

}  // namespace neardup
