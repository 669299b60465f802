#include "text/jieba/dictionary/jieba_tag_sources.h"

#include "text/jieba/dictionary/jieba_sources.h"

namespace neardup::jieba {

TagHmm read_tag_hmm(const std::string& folder) {
  TagHmm hmm;
  const auto read = [&](const char* name, auto visit) {
    const std::string file = folder + "/" + name;
    const std::string text = read_source(file);
    Literal literal(text, file);
    visit(literal);
  };
  const auto known = [&](const Literal& literal, const TagState& state) {
    if (!hmm.states.contains(state)) literal.fail("a state that prob_start.py does not have");
    return state;
  };
  read("prob_start.py", [&](Literal& literal) {
    literal.states([&](const TagState& state) { hmm.states[state].start = literal.number(); });
    if (hmm.states.empty()) literal.fail("expected states, there are none");
  });
  read("prob_trans.py", [&](Literal& literal) {
    literal.states([&](const TagState& from) {
      auto& values = hmm.states.at(known(literal, from)).transitions;
      literal.states([&](const TagState& to) { values[known(literal, to)] = literal.number(); });
    });
  });
  read("prob_emit.py", [&](Literal& literal) {
    literal.states([&](const TagState& state) {
      auto& values = hmm.states.at(known(literal, state)).emissions;
      literal.characters([&](char32_t c) { values[c] = literal.number(); });
    });
  });
  read("char_state_tab.py", [&](Literal& literal) {
    literal.characters([&](char32_t c) {
      auto& states = hmm.listed[c];
      literal.tuple([&](const TagState& state) { states.insert(known(literal, state)); });
    });
  });
  return hmm;
}

}  // namespace neardup::jieba
