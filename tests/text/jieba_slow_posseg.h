// The slow twin of the tagger: the algorithm of jieba.posseg, written down step by step with strings and maps.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "text/jieba_slow_twin.h"

namespace neardup::testing {

class SlowPosseg : public SlowJieba {
 public:
  using State = jieba::TagState;
  using Tagged = std::vector<std::pair<std::string, std::string>>;  // word, tag

  explicit SlowPosseg(const jieba::Sources& sources) : SlowJieba(sources), tag_hmm_(*sources.tag_hmm) {
    for (const jieba::WordCount& word : sources.words) tags_[decode(word.word)] = word.tag;
  }

  void set_tag(const Text& word, const std::string& tag) { tags_[word] = tag; }

  Tagged cut(const Text& text, bool hmm) const {
    Tagged out;
    for (size_t begin = 0; begin < text.size();) {
      size_t end = begin;
      while (end < text.size() && in_block(text[end])) ++end;
      if (end > begin) {
        cut_block(text.substr(begin, end - begin), hmm, out);
      } else {
        end = text.substr(begin, 2) == U"\r\n" ? begin + 2 : begin + 1;
        add(text.substr(begin, end - begin), "x", out);
      }
      begin = end;
    }
    return out;
  }

 private:
  static bool in_block(char32_t c) { return block(c) && c != '%' && c != '-'; }
  static bool number(char32_t c) { return c == '.' || (c >= '0' && c <= '9'); }
  static void add(const Text& word, const std::string& tag, Tagged& out) { out.emplace_back(encode(word), tag); }

  std::string tag_of(const Text& word) const {
    const auto found = tags_.find(word);
    return found == tags_.end() || found->second.empty() ? "x" : found->second;
  }

  void cut_block(const Text& s, bool hmm, Tagged& out) const {
    const auto ends = route(s);
    Text buffer;
    const auto flush = [&] {
      const Text run = std::exchange(buffer, {});
      if (run.empty()) return;
      if (!hmm) return add(run, "eng", out);
      if (run.size() > 1 && get(run) == 0) return cut_run(run, out);
      for (const char32_t c : run) add(Text(1, c), tag_of(Text(1, c)), out);
    };
    for (size_t x = 0; x < s.size(); x = ends[x]) {
      const Text word = s.substr(x, ends[x] - x);
      if (word.size() == 1 && (hmm || alnum(word[0]))) {
        buffer += word;
        continue;
      }
      flush();
      add(word, tag_of(word), out);
    }
    flush();
  }

  void cut_run(const Text& s, Tagged& out) const {
    for (size_t begin = 0; begin < s.size();) {
      const auto while_all = [&](auto same) {
        size_t end = begin + 1;
        while (end < s.size() && same(s[end])) ++end;
        return s.substr(begin, end - begin);
      };
      Text part;
      if (han(s[begin])) {
        part = while_all(han);
        cut_han(part, out);
      } else if (number(s[begin])) {
        add(part = while_all(number), "m", out);
      } else if (alnum(s[begin])) {
        add(part = while_all(alnum), "eng", out);
      } else {
        add(part = while_all([](char32_t c) { return !han(c) && !alnum(c) && !number(c); }), "x", out);
      }
      begin += part.size();
    }
  }

  void cut_han(const Text& s, Tagged& out) const {
    const std::vector<State> path = states_of(s);
    size_t begin = 0;
    for (size_t i = 0; i < s.size(); ++i) {
      if (path[i].first == 'S' && begin < i) {
        add(s.substr(begin, i - begin), path[begin].second, out);
        begin = i;
      }
      if (path[i].first != 'E' && path[i].first != 'S') continue;
      add(s.substr(begin, i + 1 - begin), path[i].second, out);
      begin = i + 1;
    }
    if (begin < s.size()) add(s.substr(begin), path[begin].second, out);
  }

  std::set<State> all_states() const {
    std::set<State> all;
    for (const auto& [state, values] : tag_hmm_.states) all.insert(state);
    return all;
  }
  std::set<State> listed(char32_t c) const {
    const auto found = tag_hmm_.listed.find(c);
    return found == tag_hmm_.listed.end() || found->second.empty() ? all_states() : found->second;
  }
  double emission(const State& state, char32_t c) const {
    const auto& values = tag_hmm_.states.at(state).emissions;
    const auto found = values.find(c);
    return found == values.end() ? jieba::kNever : found->second;
  }

  std::vector<State> states_of(const Text& s) const {
    std::map<State, std::pair<double, std::vector<State>>> best;
    for (const State& state : listed(s[0])) best[state] = {tag_hmm_.states.at(state).start + emission(state, s[0]), {state}};
    for (size_t t = 1; t < s.size(); ++t) {
      std::set<State> reached;
      for (const auto& [from, path] : best) {
        for (const auto& [to, value] : tag_hmm_.states.at(from).transitions) reached.insert(to);
      }
      if (reached.empty()) reached = all_states();
      std::set<State> possible;
      for (const State& state : listed(s[t])) {
        if (reached.contains(state)) possible.insert(state);
      }
      if (possible.empty()) possible = reached;
      std::map<State, std::pair<double, std::vector<State>>> next;
      for (const State& to : possible) {
        std::pair<double, State> winner{-std::numeric_limits<double>::infinity(), {}};
        for (const auto& [from, path] : best) {
          const auto& transitions = tag_hmm_.states.at(from).transitions;
          const auto found = transitions.find(to);
          const double transition = found == transitions.end() ? -std::numeric_limits<double>::infinity() : found->second;
          winner = std::max(winner, {path.first + transition + emission(to, s[t]), from});
        }
        std::vector<State> path = best.at(winner.second).second;
        path.push_back(to);
        next[to] = {winner.first, std::move(path)};
      }
      best = std::move(next);
    }
    std::pair<double, State> last{-std::numeric_limits<double>::infinity(), {}};
    for (const auto& [state, path] : best) last = std::max(last, {path.first, state});
    return best.at(last.second).second;
  }

  jieba::TagHmm tag_hmm_;
  std::map<Text, std::string> tags_;
};

}  // namespace neardup::testing
