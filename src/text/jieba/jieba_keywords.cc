#include "text/jieba/jieba_keywords.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/hash.h"
#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_sources.h"
#include "text/utf8/utf8.h"

namespace neardup {

namespace {

constexpr double kStopped = std::numeric_limits<double>::infinity();  // no IDF, they are finite

}  // namespace

size_t JiebaKeywordExtractor::Hash::operator()(std::string_view text) const noexcept {
  return hash64(text);
}

JiebaKeywordExtractor::JiebaKeywordExtractor(const JiebaDictionary& dictionary, const JiebaKeywordOptions& options)
    : dictionary_(dictionary) {
  if (!options.tags.empty()) {
    read_tags(options);
  } else if (!dictionary.has_hmm()) {
    throw Error(ErrorCode::kUsage, "the dictionary has no HMM tables, which keywords require: build it with --hmm");
  }
  if (options.idf_table) {
    take_idf(*options.idf_table);
  } else if (!options.idf_file.empty()) {
    take_idf(jieba::parse_idf(jieba::read_source(options.idf_file), options.idf_file));
  } else {
    if (!dictionary.has_idf())
      throw Error(ErrorCode::kUsage, "the dictionary has no IDF table, which keywords require: build it with --idf, or name one");
    ids_ = dictionary.tables().idf_ids.data();
    idf_ = dictionary.tables().idf.data();
  }
  median_ = idf_[0];
  const auto add = [&](std::vector<std::string> words) {
    for (std::string& word : words) {
      if (word.empty()) continue;
      const auto byte = static_cast<uint8_t>(word[0]);
      stop_bytes_[byte] = true;
      if (byte >= 'a' && byte <= 'z') stop_bytes_[byte - ('a' - 'A')] = true;
      stop_words_.insert(std::move(word));
    }
  };
  add(options.stop_words ? *options.stop_words : jieba::parse_stop_words(dictionary.tables().stop_words, "the dictionary"));
  if (options.stop_words_file.empty()) return;
  add(jieba::parse_stop_words(jieba::read_source(options.stop_words_file), options.stop_words_file));
}

void JiebaKeywordExtractor::read_tags(const JiebaKeywordOptions& options) {
  tagger_.emplace(dictionary_);
  const std::vector<std::string_view>& names = tagger_->tags();
  allowed_.resize(names.size());
  for (const std::string& tag : options.tags) {
    const auto found = std::find(names.begin(), names.end(), tag);
    if (found == names.end()) {
      if (options.any_tags) continue;
      throw Error(ErrorCode::kUsage, fmt::format("the dictionary has no part of speech '{}', it has: {}", tag, fmt::join(names, " ")));
    }
    allowed_[static_cast<size_t>(found - names.begin())] = true;
  }
}

void JiebaKeywordExtractor::take_idf(const std::vector<jieba::WordIdf>& table) {
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

double JiebaKeywordExtractor::idf_of(uint32_t key, std::string_view word) const {
  if (jieba::is_node(key)) return idf_[ids_[key]];
  return other_idf_.empty() ? median_ : idf(word);
}

double JiebaKeywordExtractor::idf(std::string_view word) const {
  const uint32_t node = dictionary_.find(word);
  if (node != 0) return idf_[ids_[node]];
  const auto found = other_idf_.find(word);
  return found != other_idf_.end() ? found->second : median_;
}

bool JiebaKeywordExtractor::collect(std::string_view text, JiebaKeywordScratch& scratch) const {
  scratch.counter_.begin_text();
  jieba::Lattice& lattice = scratch.segmenter.lattice;
  return jieba::for_each_batch(
      dictionary_.block_codes(), text, lattice, false,
      [&] {
        lattice.find_words(dictionary_);
        lattice.find_route();
        scratch.segmenter.final_segmenter.join_by_hmm(dictionary_, lattice);
        scratch.counter_.collect(dictionary_, text, lattice);
      },
      [&](size_t at, bool& valid) {
        jieba::LongBlock block(dictionary_);
        const size_t end = block.read(text, at, valid);
        if (!valid) return end;
        block.find_route();
        jieba::FinalSegmenter().join_by_hmm(dictionary_, block);  // a temporary one, because its buffers grow too
        scratch.counter_.collect(dictionary_, text, block);
        return end;
      });
}

// Returns the text that the words are in.
std::string_view JiebaKeywordExtractor::collect_tagged(std::string_view text, JiebaKeywordScratch& scratch) const {
  scratch.counter_.begin_text();
  const std::span<const JiebaTaggedWord> words = tagger_->tag(text, scratch.tagger);
  for (const JiebaTaggedWord& word : words) {
    if (!allowed_[word.tag]) continue;
    const std::string_view view = scratch.tagger.view(word);
    if (jieba::count_characters(view) < 2 || view == "\r\n") continue;
    scratch.counter_.add(dictionary_.find(view), scratch.tagger.text, word.begin, word.end);
  }
  return scratch.tagger.text;
}

std::span<const JiebaKeyword> JiebaKeywordExtractor::extract(std::string_view text, size_t top, JiebaKeywordScratch& scratch) const {
  if (tagger_) {
    text = collect_tagged(text, scratch);
  } else if (!collect(text, scratch)) {
    repair_utf8(text, scratch.segmenter.repaired);
    text = scratch.segmenter.repaired;
    collect(text, scratch);
  }
  const std::span<const jieba::CountedWord> words = scratch.counter_.count(text);
  const auto view = [text](const jieba::CountedWord& word) { return text.substr(word.begin, word.end - word.begin); };
  // The sum excludes stop words, so weights are computed afterwards.
  if (scratch.idf_.size() < words.size()) scratch.idf_.resize(words.size());
  double* const idf = scratch.idf_.data();
  for (const jieba::CountedWord& word : words) __builtin_prefetch(ids_ + (jieba::is_node(word.key) ? word.key : 0));
  uint64_t sum = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool stopped = is_stop_word(view(words[i]), scratch.lower_);
    idf[i] = stopped ? kStopped : idf_of(words[i].key, view(words[i]));
    sum += stopped ? 0 : words[i].count;
  }
  const auto total = static_cast<double>(sum);
  scratch.ranking_.clear(words.size());
  for (uint32_t i = 0; i < words.size(); ++i) scratch.ranking_.offer(words[i].count * (idf[i] / total), i, idf[i] != kStopped);
  scratch.keywords_.clear();
  for (const Ranking::Item item : scratch.ranking_.take(top)) {
    const jieba::CountedWord& word = words[item.index];
    scratch.keywords_.push_back({view(word), word.count * (idf[item.index] / total)});
  }
  return scratch.keywords_;
}

}  // namespace neardup
