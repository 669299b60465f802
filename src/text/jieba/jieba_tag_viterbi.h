// The most probable states of the HMM of jieba.posseg for a run of Han characters: each state is a position in a word and a tag.
//
// The additions and comparisons are those of the package in the same order. Which states a character may have is the rule of posseg:
// 1. the states listed for the character, or all states if none are listed,
// 2. of these, the ones that a transition leads to from a possible state of the character before;
// 3. if that leaves none, all states that such a transition leads to.
//
// Immutable, shared by threads; every thread brings a scratch. Time is proportional to the characters; each takes at most 256 x 256 steps,
// usually about a hundred. Memory: a few bytes a character. Paths are kept for one segment only, and computed again from the scores at its
// beginning, so that one endless run needs no 256 bytes for each character.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "text/jieba/dictionary/jieba_tag_format.h"

namespace neardup::jieba {

class TagViterbi {
 public:
  static constexpr size_t kSegment = 512;  ///< characters

  class Scratch {
    friend class TagViterbi;
    // The possible states of one character, ascending, and the scores of the best paths to them.
    struct Column {
      size_t count = 0;
      std::array<uint8_t, kMaxTagStates> states{};
      std::array<double, kMaxTagStates> scores{};
    };
    using Predecessors = std::array<uint8_t, kMaxTagStates>;  // by state; valid for the states of the column
    struct Checkpoint {
      Column column;
      Predecessors predecessors;
    };
    std::array<Column, 2> columns_;
    std::vector<Checkpoint> checkpoints_;     // of the first character of each segment but the first
    std::vector<Predecessors> predecessors_;  // of one segment
    std::vector<uint8_t> path_;
  };

  /// `tables` must outlive it. `segment`: characters, at least 1; for tests.
  explicit TagViterbi(const TagTables& tables, size_t segment = kSegment);

  /// The states of the characters with these codes; at least one. Valid until the next call with this scratch.
  std::span<const uint8_t> find(std::span<const uint16_t> codes, Scratch& scratch) const;

 private:
  using States = std::bitset<kMaxTagStates>;

  void first_column(uint16_t code, Scratch::Column& column) const;
  void next_column(const Scratch::Column& before, uint16_t code, Scratch::Column& column, Scratch::Predecessors& predecessors) const;
  [[nodiscard]] bool is_listed(uint16_t code) const noexcept { return listed_[code]; }
  template <typename Visit>
  void visit_possible(uint16_t code, const States& reached, Visit visit) const;

  const TagTables& tables_;
  const size_t states_;
  const size_t segment_;
  std::vector<States> next_;  // by state: where transitions lead to
  std::vector<bool> listed_;  // by code: it has listed states
};

}  // namespace neardup::jieba
