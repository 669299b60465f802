#include "jobs/passages.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

constexpr uint32_t kNone = 0xFFFF'FFFFu;
constexpr size_t kSymbolsPerAsk = 1 << 14;  // of whether to stop: some milliseconds

// The suffix automaton (Blumer et al. 1985) of a sequence: the smallest one that accepts its runs. The transitions of all states are in one
// hash table, and each state has a list of its symbols, which is read only when the state is cloned. Cloned transitions are never removed,
// so the total is linear.
class SuffixAutomaton {
 public:
  explicit SuffixAutomaton(std::span<const uint64_t> sequence) {
    states_.reserve(2 * sequence.size() + 1);
    next_.reserve(3 * sequence.size());
    states_.emplace_back();
    for (size_t i = 0; i < sequence.size(); ++i) {
      if (i % kSymbolsPerAsk == 0) check_stop();
      extend(sequence[i]);
    }
  }

  // Moves from (state, length) to the longest run that ends in `symbol` and occurs in the sequence.
  void step(uint64_t symbol, uint32_t& state, uint32_t& length) const {
    while (true) {
      if (const uint32_t to = next(state, symbol); to != kNone) {
        state = to;
        ++length;
        return;
      }
      if (state == 0) break;
      state = states_[state].suffix;
      length = states_[state].length;
    }
    length = 0;
  }

 private:
  struct State {
    uint32_t length = 0;
    uint32_t suffix = kNone;
    uint32_t first_edge = kNone;
  };
  struct Edge {
    uint64_t symbol;
    uint32_t following;
  };
  struct Key {
    uint64_t symbol;
    uint32_t state;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const noexcept { return mix64(key.symbol ^ (uint64_t{key.state} << 32 | key.state)); }
  };

  [[nodiscard]] uint32_t next(uint32_t state, uint64_t symbol) const {
    const auto found = next_.find({symbol, state});
    return found == next_.end() ? kNone : found->second;
  }
  void set_next(uint32_t state, uint64_t symbol, uint32_t to) {
    if (!next_.insert_or_assign({symbol, state}, to).second) return;
    edges_.push_back({symbol, states_[state].first_edge});
    states_[state].first_edge = static_cast<uint32_t>(edges_.size() - 1);
  }

  void extend(uint64_t symbol) {
    const auto added = static_cast<uint32_t>(states_.size());
    states_.push_back({.length = states_[last_].length + 1, .suffix = 0});
    uint32_t at = last_;
    last_ = added;
    for (; at != kNone && next(at, symbol) == kNone; at = states_[at].suffix) set_next(at, symbol, added);
    if (at == kNone) return;
    const uint32_t to = next(at, symbol);
    states_[added].suffix = states_[to].length == states_[at].length + 1 ? to : split(at, symbol, to);
  }

  uint32_t split(uint32_t from, uint64_t symbol, uint32_t to) {
    const auto clone = static_cast<uint32_t>(states_.size());
    states_.push_back({.length = states_[from].length + 1, .suffix = states_[to].suffix});
    for (uint32_t edge = states_[to].first_edge; edge != kNone; edge = edges_[edge].following) {
      const uint64_t copied = edges_[edge].symbol;
      set_next(clone, copied, next(to, copied));
    }
    states_[to].suffix = clone;
    for (; from != kNone && next(from, symbol) == to; from = states_[from].suffix) set_next(from, symbol, clone);
    return clone;
  }

  std::vector<State> states_;
  std::vector<Edge> edges_;
  std::unordered_map<Key, uint32_t, KeyHash> next_;
  uint32_t last_ = 0;
};

}  // namespace

std::vector<Passage> longest_common_passages(std::span<const uint64_t> a, std::span<const uint64_t> b, size_t max_passages) {
  const SuffixAutomaton automaton(b);
  std::vector<Passage> runs;  // maximal to the right
  uint32_t state = 0;
  uint32_t length = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (i % kSymbolsPerAsk == 0) check_stop();
    const uint32_t before = length;
    automaton.step(a[i], state, length);
    if (length == before + 1 && before > 0) {
      ++runs.back().shingles;
    } else if (length > 0) {
      runs.push_back({i + 1 - length, length});
    }
  }
  std::ranges::stable_sort(runs, [](const Passage& x, const Passage& y) { return x.shingles > y.shingles; });

  std::vector<Passage> chosen;
  for (const Passage& run : runs) {
    if (chosen.size() == max_passages) break;
    const bool apart = std::ranges::all_of(
        chosen, [&](const Passage& other) { return run.begin + run.shingles <= other.begin || other.begin + other.shingles <= run.begin; });
    if (apart) chosen.push_back(run);
  }
  return chosen;
}

}  // namespace neardup
