// The HMM of jieba.posseg as its package has it: one state for each position in a word and tag.
#pragma once

#include <map>
#include <set>
#include <string>

#include "text/jieba/dictionary/jieba_format.h"
#include "text/jieba/dictionary/jieba_literal.h"

namespace neardup::jieba {

struct TagStateValues {
  double start = kNever;
  std::map<TagState, double> transitions;  ///< to these states only
  std::map<char32_t, double> emissions;
};
struct TagHmm {
  std::map<TagState, TagStateValues> states;
  std::map<char32_t, std::set<TagState>> listed;  ///< the states that a character usually has
};

/// `folder` holds prob_start.py, prob_trans.py, prob_emit.py and char_state_tab.py of jieba/posseg. Throws Error{kInput}.
TagHmm read_tag_hmm(const std::string& folder);

}  // namespace neardup::jieba
