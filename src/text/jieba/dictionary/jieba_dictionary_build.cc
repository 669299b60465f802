#include "text/jieba/dictionary/jieba_dictionary_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/dictionary/jieba_double_array.h"
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
    number_tags();
    const std::vector<TrieWord> words = trie_words();
    Trie trie = build_trie(words, alphabet_.size());
    fill_hmm();
    fill_tag_hmm();
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
    if (sources_.tag_hmm) {
      tables.tags = {.names = tag_names_,
                     .word_tags = trie.tags,
                     .states = tag_states_,
                     .start = tag_start_,
                     .transitions = tag_transitions_,
                     .rows = tag_rows_,
                     .cell_states = tag_cell_states_,
                     .cell_values = tag_cell_values_};
    }
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
      made.tag = tag_number(word.tag);
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

  // The fixed tags first, then those of the words and of the HMM by their bytes.
  void number_tags() {
    if (!sources_.tag_hmm) return;
    std::set<std::string_view> names;
    for (const WordCount& word : sources_.words) names.insert(word.tag);
    for (const auto& [state, values] : sources_.tag_hmm->states) names.insert(state.second);
    const auto add = [&](std::string_view name) {
      tags_[std::string(name)] = static_cast<uint16_t>(tags_.size());
      tag_names_ += name;
      tag_names_ += '\n';
    };
    names.erase("");
    for (const std::string_view fixed : {"x", "m", "eng"}) {
      names.erase(fixed);
      add(fixed);
    }
    if (names.size() + kFixedTags > kMaxTags)
      throw Error(ErrorCode::kResource, fmt::format("the words have {} tags, at most {} are possible", names.size(), kMaxTags));
    for (const std::string_view name : names) add(name);
  }

  uint16_t tag_number(const std::string& name) const { return name.empty() || tags_.empty() ? uint16_t{kTagX} : tags_.at(name); }

  void fill_tag_hmm() {
    if (!sources_.tag_hmm) return;
    const std::map<TagState, TagStateValues>& states = sources_.tag_hmm->states;
    if (states.size() > kMaxTagStates) {
      throw Error(ErrorCode::kResource,
                  fmt::format("the HMM of the tags has {} states, at most {} are possible", states.size(), kMaxTagStates));
    }
    std::map<TagState, uint16_t> numbers;
    for (const auto& [state, values] : states) {
      numbers.emplace(state, static_cast<uint16_t>(numbers.size()));
      tag_states_.push_back(make_tag_state(static_cast<uint32_t>(std::string_view("BEMS").find(state.first)), tag_number(state.second)));
      tag_start_.push_back(values.start);
    }
    tag_transitions_.assign(states.size() * states.size(), kNoTransition);
    std::vector<std::map<uint16_t, double>> cells(alphabet_.size());  // by code; by state
    std::vector<std::set<uint16_t>> listed(alphabet_.size());
    const auto code_of = [&](char32_t c) {
      const auto found = codes_.find(c);
      return found == codes_.end() ? size_t{0} : size_t{found->second};
    };
    for (const auto& [state, values] : states) {
      const uint16_t from = numbers.at(state);
      for (const auto& [to, value] : values.transitions) tag_transitions_[numbers.at(to) * states.size() + from] = value;
      for (const auto& [c, value] : values.emissions) cells[code_of(c)][from] = value;
    }
    for (const auto& [c, of_character] : sources_.tag_hmm->listed) {
      for (const TagState& state : of_character) {
        listed[code_of(c)].insert(numbers.at(state));
        cells[code_of(c)].try_emplace(numbers.at(state), kNever);
      }
    }
    cells[0].clear();  // characters outside of blocks never get to the HMM
    tag_rows_.push_back(0);
    for (size_t code = 0; code < cells.size(); ++code) {
      for (const auto& [state, value] : cells[code]) {
        tag_cell_states_.push_back(static_cast<uint16_t>(listed[code].contains(state) ? state | kListed : state));
        tag_cell_values_.push_back(value);
      }
      tag_rows_.push_back(static_cast<uint32_t>(tag_cell_states_.size()));
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
  std::map<std::string, uint16_t> tags_;
  std::string tag_names_;
  std::vector<uint32_t> tag_states_;
  std::vector<double> tag_start_;
  std::vector<double> tag_transitions_;
  std::vector<uint32_t> tag_rows_;
  std::vector<uint16_t> tag_cell_states_;
  std::vector<double> tag_cell_values_;
};

}  // namespace

std::string build_dictionary(const Sources& sources) {
  return Compiler(sources).compile();
}

}  // namespace neardup::jieba
