// The slow twin of the jieba segmenter: the published algorithm, written down step by step with strings and hash maps.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/jieba/dictionary/jieba_dictionary_build.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup::testing {

class SlowJieba {
 public:
  using Text = std::u32string;
  using Tokens = std::vector<Text>;

  explicit SlowJieba(const jieba::Sources& sources) : hmm_(*sources.hmm) {
    for (const jieba::WordCount& word : sources.words) add(decode(word.word), word.frequency);
    for (const jieba::WordIdf& word : sources.idf) idf_[decode(word.word)] = word.idf;
    std::vector<double> values;
    for (const auto& [word, idf] : idf_) values.push_back(idf);
    std::sort(values.begin(), values.end());
    if (!values.empty()) median_ = values[values.size() / 2];
    for (const std::string& word : sources.stop_words) stop_words_.insert(decode(word));
  }

  static Text decode(std::string_view text) {
    Text out;
    for (size_t at = 0; at < text.size();) {
      const Decoded decoded = decode_utf8(text, at);
      out.push_back(decoded.code_point);
      at += decoded.length;
    }
    return out;
  }
  static std::string encode(const Text& text) {
    std::string out;
    for (const char32_t c : text) append_utf8(c, out);
    return out;
  }

  void add(const Text& word, uint64_t count) {
    freq_[word] = count;
    total_ += count;
    for (size_t n = 1; n <= word.size(); ++n) freq_.try_emplace(word.substr(0, n), 0);
  }
  void add_user(const Text& word, uint64_t count) {
    add(word, count);
    if (count == 0) force_split_.insert(word);
  }

  Tokens cut(const Text& text, bool hmm) const {
    Tokens out;
    for_each_part(text, [&](const Text& part, bool block) {
      if (!block) {
        for (size_t i = 0; i < part.size(); ++i) {
          const bool both = part[i] == '\r' && i + 1 < part.size() && part[i + 1] == '\n';
          out.push_back(part.substr(i, both ? 2 : 1));
          i += both;
        }
      } else if (hmm) {
        cut_hmm(part, out);
      } else {
        cut_plain(part, out);
      }
    });
    return out;
  }

  Tokens cut_all(const Text& text) const {
    Tokens out;
    for_each_part(text, [&](const Text& part, bool block) {
      if (block) return cut_all_block(part, out);
      Text piece;
      for (size_t i = 0; i < part.size(); ++i) {
        if (!is_white_space(part[i])) {
          piece += part[i];
          continue;
        }
        const bool both = part[i] == '\r' && i + 1 < part.size() && part[i + 1] == '\n';
        out.push_back(piece);
        out.push_back(part.substr(i, both ? 2 : 1));
        i += both;
        piece.clear();
      }
      out.push_back(piece);
    });
    return out;
  }

  Tokens cut_for_search(const Text& text, bool hmm) const {
    Tokens out;
    for (const Text& word : cut(text, hmm)) {
      for (const size_t n : {size_t{2}, size_t{3}}) {
        for (size_t i = 0; word.size() > n && i + n <= word.size(); ++i) {
          if (get(word.substr(i, n)) > 0) out.push_back(word.substr(i, n));
        }
      }
      out.push_back(word);
    }
    return out;
  }

  std::vector<std::pair<std::string, double>> tags(const Text& text, size_t top) const {
    std::vector<std::pair<Text, double>> counts;
    for (const Text& word : cut(text, true)) {
      Text lower = word;
      for (char32_t& c : lower) c = c >= 'A' && c <= 'Z' ? c + 32 : c;
      if (word.size() < 2 || word == U"\r\n" || stop_words_.contains(lower)) continue;
      const auto found = std::find_if(counts.begin(), counts.end(), [&](const auto& each) { return each.first == word; });
      if (found == counts.end()) {
        counts.emplace_back(word, 1);
      } else {
        found->second += 1;
      }
    }
    double total = 0;
    for (const auto& [word, count] : counts) total += count;
    std::vector<std::pair<std::string, double>> out;
    for (const auto& [word, count] : counts) {
      const auto idf = idf_.find(word);
      out.emplace_back(encode(word), count * ((idf == idf_.end() ? median_ : idf->second) / total));
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    if (top > 0 && out.size() > top) out.resize(top);
    return out;
  }

 protected:
  static bool han(char32_t c) { return c >= 0x4E00 && c <= 0x9FD5; }
  static bool alnum(char32_t c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  static bool block(char32_t c) { return han(c) || alnum(c) || Text(U"+#&._%-").find(c) != Text::npos; }

  uint64_t get(const Text& word) const {
    const auto found = freq_.find(word);
    return found == freq_.end() ? 0 : found->second;
  }

  template <typename Visit>
  static void for_each_part(const Text& text, Visit visit) {
    for (size_t begin = 0; begin < text.size();) {
      size_t end = begin;
      while (end < text.size() && block(text[end]) == block(text[begin])) ++end;
      visit(text.substr(begin, end - begin), block(text[begin]));
      begin = end;
    }
  }

  std::vector<std::vector<size_t>> dag(const Text& s) const {
    std::vector<std::vector<size_t>> edges(s.size());
    for (size_t k = 0; k < s.size(); ++k) {
      for (size_t i = k; i < s.size() && freq_.contains(s.substr(k, i + 1 - k)); ++i) {
        if (get(s.substr(k, i + 1 - k)) > 0) edges[k].push_back(i);
      }
      if (edges[k].empty()) edges[k].push_back(k);
    }
    return edges;
  }

  // The end of the word that begins at each position, exclusive.
  std::vector<size_t> route(const Text& s) const {
    const auto edges = dag(s);
    const double log_total = std::log(static_cast<double>(total_));
    std::vector<std::pair<double, size_t>> best(s.size() + 1);
    std::vector<size_t> ends(s.size());
    for (size_t k = s.size(); k-- > 0;) {
      best[k] = {-std::numeric_limits<double>::infinity(), 0};
      for (const size_t x : edges[k]) {
        const auto count = static_cast<double>(std::max<uint64_t>(get(s.substr(k, x + 1 - k)), 1));
        best[k] = std::max(best[k], {std::log(count) - log_total + best[x + 1].first, x});
      }
      ends[k] = best[k].second + 1;
    }
    return ends;
  }

 private:
  void cut_plain(const Text& s, Tokens& out) const {
    const auto ends = route(s);
    Text buffer;
    for (size_t x = 0; x < s.size(); x = ends[x]) {
      const Text word = s.substr(x, ends[x] - x);
      if (word.size() == 1 && alnum(word[0])) {
        buffer += word;
        continue;
      }
      if (!buffer.empty()) out.push_back(std::exchange(buffer, {}));
      out.push_back(word);
    }
    if (!buffer.empty()) out.push_back(buffer);
  }

  void cut_hmm(const Text& s, Tokens& out) const {
    const auto ends = route(s);
    Text buffer;
    for (size_t x = 0; x < s.size(); x = ends[x]) {
      if (ends[x] - x == 1) {
        buffer += s[x];
        continue;
      }
      flush(std::exchange(buffer, {}), out);
      out.push_back(s.substr(x, ends[x] - x));
    }
    flush(buffer, out);
  }

  void flush(const Text& buffer, Tokens& out) const {
    if (buffer.size() > 1 && get(buffer) == 0) return finalseg(buffer, out);
    for (const char32_t c : buffer) out.emplace_back(1, c);
  }

  void finalseg(const Text& s, Tokens& out) const {
    for (size_t begin = 0; begin < s.size();) {
      size_t end = begin;
      while (end < s.size() && han(s[end]) == han(s[begin])) ++end;
      const Text part = s.substr(begin, end - begin);
      begin = end;
      if (!han(part[0])) {
        rest(part, out);
        continue;
      }
      for (const Text& word : viterbi(part)) {
        if (!force_split_.contains(word)) {
          out.push_back(word);
          continue;
        }
        for (const char32_t c : word) out.emplace_back(1, c);
      }
    }
  }

  static void rest(const Text& s, Tokens& out) {
    Text other;
    for (size_t i = 0; i < s.size();) {
      if (!alnum(s[i])) {
        other += s[i++];
        continue;
      }
      const auto digit = [&](size_t at) { return at < s.size() && s[at] >= '0' && s[at] <= '9'; };
      size_t end = i;
      while (end < s.size() && alnum(s[end])) ++end;
      if (end < s.size() && s[end] == '.' && digit(end + 1)) {
        ++end;
        while (digit(end)) ++end;
      }
      if (end < s.size() && s[end] == '%') ++end;
      if (!other.empty()) out.push_back(std::exchange(other, {}));
      out.push_back(s.substr(i, end - i));
      i = end;
    }
    if (!other.empty()) out.push_back(other);
  }

  Tokens viterbi(const Text& s) const {
    // By letter, as Python's max() compares (value, letter); the tables have the order B, E, M, S.
    const std::string states = "BMES";
    const std::map<char, size_t> index{{'B', 0}, {'E', 1}, {'M', 2}, {'S', 3}};
    const std::map<char, std::string> before{{'B', "ES"}, {'M', "MB"}, {'S', "SE"}, {'E', "BM"}};
    const auto emission = [&](char32_t c, char y) {
      const auto found = hmm_.emission.find(c);
      return found == hmm_.emission.end() ? jieba::kNever : found->second[index.at(y)];
    };
    std::map<char, std::pair<double, std::string>> v;
    for (const char y : states) v[y] = {hmm_.start[index.at(y)] + emission(s[0], y), std::string(1, y)};
    for (size_t t = 1; t < s.size(); ++t) {
      std::map<char, std::pair<double, std::string>> next;
      for (const char y : states) {
        std::pair<double, char> best{-std::numeric_limits<double>::infinity(), 0};
        for (const char y0 : before.at(y)) {
          best = std::max(best, {v[y0].first + hmm_.transition[index.at(y0)][index.at(y)] + emission(s[t], y), y0});
        }
        next[y] = {best.first, v[best.second].second + y};
      }
      v = next;
    }
    const std::string path =
        std::max(std::pair{v['E'].first, 'E'}, std::pair{v['S'].first, 'S'}).second == 'E' ? v['E'].second : v['S'].second;
    Tokens out;
    size_t begin = 0;
    size_t done = 0;
    for (size_t i = 0; i < s.size(); ++i) {
      if (path[i] == 'B') begin = i;
      if (path[i] == 'E') out.push_back(s.substr(begin, i + 1 - begin));
      if (path[i] == 'S') out.push_back(s.substr(i, 1));
      if (path[i] == 'E' || path[i] == 'S') done = i + 1;
    }
    if (done < s.size()) out.push_back(s.substr(done));
    return out;
  }

  void cut_all_block(const Text& s, Tokens& out) const {
    const auto edges = dag(s);
    std::ptrdiff_t old = -1;
    bool scanning = false;
    Text english;
    for (size_t k = 0; k < s.size(); ++k) {
      if (scanning && !alnum(s[k])) {
        scanning = false;
        out.push_back(english);
      }
      if (edges[k].size() == 1 && static_cast<std::ptrdiff_t>(k) > old) {
        const Text word = s.substr(k, edges[k][0] + 1 - k);
        if (alnum(word[0])) {
          english = scanning ? english + word : word;
          scanning = true;
        }
        if (!scanning) out.push_back(word);
        old = static_cast<std::ptrdiff_t>(edges[k][0]);
        continue;
      }
      for (const size_t j : edges[k]) {
        if (j <= k) continue;
        out.push_back(s.substr(k, j + 1 - k));
        old = static_cast<std::ptrdiff_t>(j);
      }
    }
    if (scanning) out.push_back(english);
  }

  jieba::Hmm hmm_;
  std::map<Text, uint64_t> freq_;
  uint64_t total_ = 0;
  std::map<Text, double> idf_;
  double median_ = 0;
  std::set<Text> stop_words_;
  std::set<Text> force_split_;
};

}  // namespace neardup::testing
