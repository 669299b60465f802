#include "text/jieba/jieba_dictionary_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "neardup/error.h"
#include "text/jieba/jieba_dictionary.h"
#include "text/jieba/jieba_double_array.h"
#include "text/utf8/utf8.h"

namespace neardup::jieba {
namespace {

template <typename Visit>
void for_each_character(std::string_view word, Visit visit) {
  for (size_t at = 0; at < word.size();) {
    const Decoded decoded = decode_utf8(word, at);
    visit(decoded.code_point);
    at += decoded.length;
  }
}

// Codes are assigned by the frequency of characters, so that frequent ones are close together in memory. All characters of blocks have one,
// so that code 0 means only a gap.
std::vector<char32_t> make_alphabet(const Sources& sources) {
  std::unordered_map<char32_t, uint64_t> uses;
  const auto add = [&](char32_t c, uint64_t count) { uses[c] += count; };
  for (char32_t c = JiebaDictionary::kFirstHan; c <= JiebaDictionary::kLastHan; ++c) add(c, 0);
  for (char32_t c = 0; c < 0x80; ++c) {
    if (JiebaDictionary::is_block(c)) add(c, 0);
  }
  for (const WordCount& word : sources.words) for_each_character(word.word, [&](char32_t c) { add(c, 1 + word.frequency); });
  for (const WordIdf& word : sources.idf) for_each_character(word.word, [&](char32_t c) { add(c, 1); });
  std::vector<std::pair<uint64_t, char32_t>> order;
  order.reserve(uses.size());
  for (const auto& [c, count] : uses) order.emplace_back(~count, c);
  std::sort(order.begin(), order.end());
  if (order.size() > kMaxCode)
    throw Error(ErrorCode::kResource,
                fmt::format("the words have {} different characters, at most {} are possible", order.size(), kMaxCode));
  std::vector<char32_t> alphabet{0};
  for (const auto& [count, c] : order) alphabet.push_back(c);
  return alphabet;
}

// The words that jieba 0.42.1 itself leaves out, in its order.
constexpr std::string_view kUsualStopWords[] = {"the",  "of",   "is", "and",  "to",   "in",  "that", "we",   "for",   "an",  "are",
                                                "by",   "be",   "as", "on",   "with", "can", "if",   "from", "which", "you", "it",
                                                "this", "then", "at", "have", "all",  "not", "one",  "has",  "or"};

// Each once: the usual ones first, as in the first dictionaries, so that ids do not change; then the others by their bytes.
std::vector<std::string> in_canonical_order(const std::vector<std::string>& words) {
  std::set<std::string_view> left(words.begin(), words.end());
  std::vector<std::string> ordered;
  for (const std::string_view usual : kUsualStopWords) {
    if (left.erase(usual) != 0) ordered.emplace_back(usual);
  }
  ordered.insert(ordered.end(), left.begin(), left.end());
  return ordered;
}

class Compiler {
 public:
  explicit Compiler(const Sources& sources) : sources_(sources), alphabet_(make_alphabet(sources)) {
    for (size_t code = 1; code < alphabet_.size(); ++code) codes_[alphabet_[code]] = static_cast<char16_t>(code);
  }

  std::string compile() {
    number_frequencies();
    number_idf();
    const std::vector<TrieWord> words = trie_words();
    Trie trie = build_trie(words, alphabet_.size());
    fill_hmm();
    std::string stop_words;
    for (const std::string& word : in_canonical_order(sources_.stop_words)) stop_words += word + "\n";
    Tables tables;
    tables.alphabet = alphabet_;
    tables.slots = trie.slots;
    tables.counts = counts_;
    tables.logs = logs_;
    tables.weights = weights_;
    if (!sources_.idf.empty()) {
      tables.idf_ids = trie.idf_ids;
      tables.idf = idf_;
    }
    tables.hmm = hmm_;
    tables.emissions = emissions_;
    tables.stop_words = stop_words;
    tables.total = total_;
    tables.words =
        static_cast<uint64_t>(std::count_if(words.begin(), words.end(), [](const TrieWord& w) { return w.value >= kFirstWord; }));
    return serialize(tables);
  }

 private:
  void number_frequencies() {
    std::map<uint64_t, uint32_t, std::greater<>> distinct;  // frequent words have the first numbers
    for (const WordCount& word : sources_.words) {
      total_ += word.frequency;
      if (word.frequency > 0) distinct[word.frequency] = 0;
    }
    counts_ = {0, 0};
    for (auto& [frequency, value] : distinct) {
      value = static_cast<uint32_t>(counts_.size());
      counts_.push_back(frequency);
    }
    for (const auto& [frequency, value] : distinct) values_[frequency] = value;
    values_[0] = kPrefixOnly;
    // As jieba computes: log(frequency or 1) - log(total).
    const double log_total = std::log(static_cast<double>(total_));
    for (const uint64_t count : counts_) {
      logs_.push_back(std::log(static_cast<double>(std::max<uint64_t>(count, 1))));
      weights_.push_back(logs_.back() - log_total);
    }
  }

  void number_idf() {
    if (sources_.idf.empty()) return;
    idf_ = {median_idf(sources_.idf)};
    std::map<double, uint32_t> distinct;
    for (const WordIdf& word : sources_.idf) distinct[word.idf] = 0;
    for (auto& [idf, id] : distinct) {
      id = static_cast<uint32_t>(idf_.size());
      idf_.push_back(idf);
    }
    for (const auto& [idf, id] : distinct) idf_ids_[idf] = id;
  }

  std::u16string encode(std::string_view word) const {
    std::u16string codes;
    for_each_character(word, [&](char32_t c) { codes.push_back(codes_.at(c)); });
    return codes;
  }

  std::vector<TrieWord> trie_words() const {
    std::map<std::u16string, TrieWord> merged;
    for (const WordCount& word : sources_.words) {
      std::u16string codes = encode(word.word);
      TrieWord& made = merged[codes];
      made.codes = std::move(codes);
      made.value = values_.at(word.frequency);
      made.popularity = word.frequency + 1;
    }
    for (const WordIdf& word : sources_.idf) {
      std::u16string codes = encode(word.word);
      TrieWord& made = merged[codes];
      made.codes = std::move(codes);
      made.idf_id = idf_ids_.at(word.idf);
    }
    std::vector<TrieWord> words;
    words.reserve(merged.size());
    for (auto& [codes, word] : merged) words.push_back(std::move(word));
    return words;
  }

  void fill_hmm() {
    if (!sources_.hmm) return;
    hmm_.assign(sources_.hmm->start.begin(), sources_.hmm->start.end());
    for (const auto& row : sources_.hmm->transition) hmm_.insert(hmm_.end(), row.begin(), row.end());
    emissions_.assign(alphabet_.size() * kStates, kNever);
    for (const auto& [c, row] : sources_.hmm->emission) {
      const auto code = codes_.find(c);
      if (code != codes_.end()) std::copy(row.begin(), row.end(), emissions_.begin() + code->second * std::ptrdiff_t{kStates});
    }
  }

  const Sources& sources_;
  const std::vector<char32_t> alphabet_;
  std::unordered_map<char32_t, char16_t> codes_;
  std::unordered_map<uint64_t, uint32_t> values_;
  std::unordered_map<double, uint32_t> idf_ids_;
  std::vector<uint64_t> counts_;
  std::vector<double> logs_;
  std::vector<double> weights_;
  std::vector<double> idf_;
  std::vector<double> hmm_;
  std::vector<double> emissions_;
  uint64_t total_ = 0;
};

}  // namespace

std::string build_dictionary(const Sources& sources) {
  return Compiler(sources).compile();
}

}  // namespace neardup::jieba
