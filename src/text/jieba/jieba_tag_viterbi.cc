#include "text/jieba/jieba_tag_viterbi.h"

#include <algorithm>

#include "text/jieba/dictionary/jieba_format.h"

namespace neardup::jieba {

TagViterbi::TagViterbi(const TagTables& tables, size_t segment)
    : tables_(tables), states_(tables.states.size()), segment_(segment), next_(states_), listed_(tables.rows.size() - 1) {
  for (size_t to = 0; to < states_; ++to) {
    for (size_t from = 0; from < states_; ++from) {
      if (tables.transitions[to * states_ + from] != kNoTransition) next_[from].set(to);
    }
  }
  for (size_t code = 0; code < listed_.size(); ++code) {
    for (uint32_t i = tables.rows[code]; i < tables.rows[code + 1]; ++i) {
      if ((tables.cell_states[i] & kListed) != 0) listed_[code] = true;
    }
  }
}

// Calls visit(state, emission) for the possible states of a character, ascending. `reached`: the states that transitions lead to.
template <typename Visit>
void TagViterbi::visit_possible(uint16_t code, const States& reached, Visit visit) const {
  uint32_t cell = tables_.rows[code];
  const uint32_t end = tables_.rows[code + 1];
  bool any = false;
  if (is_listed(code)) {
    for (uint32_t i = cell; i < end; ++i) {
      const uint32_t state = tables_.cell_states[i] & ~uint32_t{kListed};
      if ((tables_.cell_states[i] & kListed) == 0 || !reached[state]) continue;
      visit(state, tables_.cell_values[i]);
      any = true;
    }
  }
  if (any) return;
  for (uint32_t state = 0; state < states_; ++state) {
    const bool has_cell = cell < end && (tables_.cell_states[cell] & ~uint32_t{kListed}) == state;
    if (reached[state]) visit(state, has_cell ? tables_.cell_values[cell] : kNever);
    cell += static_cast<uint32_t>(has_cell);
  }
}

void TagViterbi::first_column(uint16_t code, Scratch::Column& column) const {
  column.count = 0;
  visit_possible(code, States().set(), [&](uint32_t state, double emission) {
    column.states[column.count] = static_cast<uint8_t>(state);
    column.scores[column.count++] = tables_.start[state] + emission;
  });
}

void TagViterbi::next_column(const Scratch::Column& before, uint16_t code, Scratch::Column& column,
                             Scratch::Predecessors& predecessors) const {
  States reached;
  for (size_t i = 0; i < before.count; ++i) reached |= next_[before.states[i]];
  // Never with the tables of jieba, whose transitions lead only to states that have some. The path then begins anew in any state.
  if (reached.none()) reached.set();
  column.count = 0;
  visit_possible(code, reached, [&](uint32_t state, double emission) {
    const double* transitions = tables_.transitions.data() + state * states_;
    double best = kNoTransition;
    uint8_t from = before.states[0];
    for (size_t i = 0; i < before.count; ++i) {
      // In this order; of equal scores the later state wins, as in Python's max((score, state)).
      const double score = (before.scores[i] + transitions[before.states[i]]) + emission;
      const bool better = score >= best;
      best = better ? score : best;
      from = better ? before.states[i] : from;
    }
    column.states[column.count] = static_cast<uint8_t>(state);
    column.scores[column.count++] = best;
    predecessors[state] = from;
  });
}

std::span<const uint8_t> TagViterbi::find(std::span<const uint16_t> codes, Scratch& scratch) const {
  const size_t count = codes.size();
  if (scratch.path_.size() < count) scratch.path_.resize(count);
  if (scratch.predecessors_.size() < std::min(count, segment_)) scratch.predecessors_.resize(std::min(count, segment_));
  scratch.checkpoints_.clear();
  auto* now = scratch.columns_.data();
  auto* next = now + 1;
  first_column(codes[0], *now);
  const auto step = [&](size_t i) {
    next_column(*now, codes[i], *next, scratch.predecessors_[i % segment_]);
    std::swap(now, next);
  };
  for (size_t i = 1; i < count; ++i) {
    step(i);
    if (i % segment_ == 0) scratch.checkpoints_.push_back({*now, scratch.predecessors_[0]});
  }
  size_t last = 0;
  for (size_t i = 1; i < now->count; ++i) last = now->scores[i] >= now->scores[last] ? i : last;
  uint8_t state = now->states[last];
  for (size_t end = count;;) {
    const size_t begin = (end - 1) / segment_ * segment_;
    for (size_t i = end; i-- > begin;) {
      scratch.path_[i] = state;
      if (i > 0) state = scratch.predecessors_[i % segment_][state];
    }
    if (begin == 0) break;
    end = begin;
    // The paths of the segment before, once more.
    const size_t first = end - segment_;
    if (first == 0) {
      first_column(codes[0], *now);
    } else {
      const Scratch::Checkpoint& checkpoint = scratch.checkpoints_[first / segment_ - 1];
      *now = checkpoint.column;
      scratch.predecessors_[0] = checkpoint.predecessors;
    }
    for (size_t i = first + 1; i < end; ++i) step(i);
  }
  return {scratch.path_.data(), count};
}

}  // namespace neardup::jieba
