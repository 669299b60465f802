#include "text/jieba/dictionary/jieba_user_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_double_array.h"
#include "text/jieba/dictionary/jieba_sources.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

bool is_alphanumeric(std::string_view character) {
  if (character.size() != 1) return false;
  return JiebaDictionary::is_alphanumeric(JiebaDictionary::ascii_kind(static_cast<unsigned char>(character[0])));
}

// int(x) of Python where x is known to be at least 0.
uint64_t whole(double x, std::string_view word) {
  if (!(x <= static_cast<double>(jieba::kMaxFrequency)))
    throw Error(ErrorCode::kUsage, fmt::format("the frequency suggested for '{}' is more than {}", word, jieba::kMaxFrequency));
  return static_cast<uint64_t>(x);
}

}  // namespace

UserWords::UserWords(const JiebaDictionary& base) : base_(base), force_split_(base.force_split()), total_(base.tables().total) {}

void UserWords::load(const std::string& path) {
  load_text(jieba::read_source(path), path);
}

void UserWords::load_text(std::string_view text, const std::string& file) {
  for (const jieba::UserLine& line : jieba::parse_user_words(text, file)) {
    try {
      add(line.word, line.frequency, line.tag);
    } catch (const Error& error) {  // a single addition does not know its file and line
      throw Error(ErrorCode::kInput, fmt::format("{}:{}: {}", file, line.line, error.what()));
    }
  }
}

std::optional<uint64_t> UserWords::frequency(const std::string& word) const {
  const auto found = changes_.find(word);
  if (found != changes_.end()) return found->second;
  return word.empty() ? std::nullopt : base_.frequency(word);  // jieba lists no empty beginning of words
}

void UserWords::add(std::string_view word, std::optional<uint64_t> given, std::string_view tag) {
  if (!is_valid_utf8(word)) throw Error(ErrorCode::kUsage, "a user word is not UTF-8");
  if (const size_t length = jieba::count_characters(word); length > jieba::kMaxWordCharacters) {
    throw Error(ErrorCode::kUsage,
                fmt::format("a user word has at most {} characters, this one has {}", jieba::kMaxWordCharacters, length));
  }
  if (!is_valid_utf8(tag) || tag.find('\n') != std::string_view::npos)
    throw Error(ErrorCode::kUsage, fmt::format("the tag of the user word '{}' is not UTF-8 or has a line feed", word));
  const uint64_t count = given ? *given : suggest(word);
  if (count > jieba::kMaxFrequency || total_ + count > jieba::kMaxFrequency) {
    throw Error(ErrorCode::kUsage,
                fmt::format("user word '{}' with frequency {}: the frequencies sum to more than {}", word, count, jieba::kMaxFrequency));
  }
  changes_[std::string(word)] = count;
  total_ += count;
  for (size_t end = 0; end < word.size();) {
    end += decode_utf8(word, end).length;
    const std::string prefix(word.substr(0, end));
    if (!frequency(prefix)) changes_[prefix] = 0;
  }
  if (count == 0) force_split_.emplace(word);
  if (!tag.empty()) tags_[std::string(word)] = tag;
}

uint64_t UserWords::suggest(std::string_view word, bool tune) {
  const auto total = static_cast<double>(total_);
  double share = 1;
  for (const std::string& piece : cut(word)) share *= static_cast<double>(frequency(piece).value_or(1)) / total;
  const uint64_t count = std::max(whole(share * total, word) + 1, frequency(std::string(word)).value_or(1));
  if (tune) add(word, count);
  return count;
}

uint64_t UserWords::suggest(std::span<const std::string_view> pieces, bool tune) {
  const auto total = static_cast<double>(total_);
  double share = 1;
  std::string word;
  for (const std::string_view piece : pieces) {
    word += piece;
    share *= static_cast<double>(frequency(std::string(piece)).value_or(1)) / total;
  }
  const uint64_t count = std::min(whole(share * total, word), frequency(word).value_or(0));
  if (tune) add(word, count);
  return count;
}

// The accurate mode without HMM for a few characters, with the current words, by string lookups. It cuts only one user word, and building a
// dictionary after every change would cost far more.
std::vector<std::string> UserWords::cut(std::string_view text) const {
  std::vector<std::string> tokens;
  for (size_t at = 0; at < text.size();) {
    std::vector<size_t> offsets;
    while (at < text.size()) {
      const Decoded decoded = decode_utf8(text, at);
      if (!JiebaDictionary::is_block(decoded.code_point)) break;
      offsets.push_back(at);
      at += decoded.length;
    }
    offsets.push_back(at);
    cut_block(text, offsets, tokens);
    if (at < text.size()) {
      const size_t length = text.substr(at).starts_with("\r\n") ? 2 : decode_utf8(text, at).length;
      tokens.emplace_back(text.substr(at, length));
      at += length;
    }
  }
  return tokens;
}

void UserWords::cut_block(std::string_view text, const std::vector<size_t>& offsets, std::vector<std::string>& tokens) const {
  const size_t count = offsets.size() - 1;
  const double log_total = std::log(static_cast<double>(total_));
  std::vector<double> scores(count + 1, 0);
  std::vector<size_t> ends(count, 0);
  const auto piece = [&](size_t begin, size_t end) { return std::string(text.substr(offsets[begin], offsets[end] - offsets[begin])); };
  for (size_t k = count; k-- > 0;) {
    double best = -std::numeric_limits<double>::infinity();
    for (size_t end = k + 1; end <= count; ++end) {
      const std::optional<uint64_t> found = frequency(piece(k, end));
      if (!found) break;
      if (*found == 0) continue;
      const double score = std::log(static_cast<double>(*found)) - log_total + scores[end];
      if (score < best) continue;
      best = score;
      ends[k] = end;
    }
    if (ends[k] == 0) {
      ends[k] = k + 1;
      best = std::log(1.0) - log_total + scores[k + 1];
    }
    scores[k] = best;
  }
  bool joining = false;
  for (size_t k = 0; k < count; k = ends[k]) {
    std::string token = piece(k, ends[k]);
    const bool letter = is_alphanumeric(token);
    if (letter && joining) {
      tokens.back() += token;
    } else {
      tokens.push_back(std::move(token));
    }
    joining = letter;
  }
}

// The tags that the base does not have, sorted.
std::vector<std::string_view> UserWords::new_tags() const {
  std::set<std::string_view> names;
  for (const auto& [word, tag] : tags_) names.insert(tag);
  const std::vector<std::string_view> known = jieba::split_tags(base_.tables().tags.names);
  for (const std::string_view name : known) names.erase(name);
  if (known.size() + names.size() > jieba::kMaxTags)
    throw Error(ErrorCode::kUsage,
                fmt::format("the user words have {} new tags, at most {} tags are possible", names.size(), jieba::kMaxTags));
  return {names.begin(), names.end()};
}

JiebaDictionary UserWords::build() const {
  const jieba::Tables& tables = base_.tables();
  JiebaDictionary::Changes made;
  made.counts.assign(tables.counts.begin(), tables.counts.end());
  made.logs.assign(tables.logs.begin(), tables.logs.end());
  made.total = total_;
  made.force_split = force_split_;
  std::unordered_map<uint64_t, uint32_t> values;
  for (uint32_t value = jieba::kFirstWord; value < made.counts.size(); ++value) values.emplace(made.counts[value], value);
  values[0] = jieba::kPrefixOnly;
  jieba::TrieEditor editor({{tables.slots.begin(), tables.slots.end()},
                            {tables.idf_ids.begin(), tables.idf_ids.end()},
                            {tables.tags.word_tags.begin(), tables.tags.word_tags.end()}},
                           tables.alphabet.size());
  std::unordered_map<std::string_view, uint16_t> tag_numbers;
  if (base_.has_tags()) {
    made.tag_names = tables.tags.names;
    for (const std::string_view name : new_tags()) (made.tag_names += name) += '\n';
    for (const std::string_view name : jieba::split_tags(made.tag_names)) {
      tag_numbers.emplace(name, static_cast<uint16_t>(tag_numbers.size()));
    }
  }
  const std::map<std::string_view, uint64_t> sorted(changes_.begin(), changes_.end());  // the same words give the same slots
  for (const auto& [word, count] : sorted) {
    std::u16string codes;
    for (size_t at = 0; at < word.size();) {
      const Decoded decoded = decode_utf8(word, at);
      at += decoded.length;
      codes.push_back(base_.code_of(decoded.code_point));
    }
    // A character without a code is not in a block: such a word is never found.
    if (codes.empty() || codes.find(u'\0') != std::u16string::npos) continue;
    const auto [value, is_new] = values.emplace(count, static_cast<uint32_t>(made.counts.size()));
    if (is_new) {
      made.counts.push_back(count);
      made.logs.push_back(std::log(static_cast<double>(count)));
    }
    const uint32_t node = editor.set(codes, value->second);
    if (const auto tag = tags_.find(std::string(word)); tag != tags_.end() && base_.has_tags()) {
      editor.set_tag(node, tag_numbers.at(tag->second));
    }
  }
  const double log_total = std::log(static_cast<double>(total_));
  for (const double log : made.logs) made.weights.push_back(log - log_total);
  jieba::Trie trie = editor.take();
  made.slots = std::move(trie.slots);
  if (base_.has_idf()) made.idf_ids = std::move(trie.idf_ids);
  if (base_.has_tags()) made.word_tags = std::move(trie.tags);
  return JiebaDictionary::changed(base_, std::move(made));
}

}  // namespace neardup
