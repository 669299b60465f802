#include "dedup/match/join_groups.h"

#include <span>
#include <vector>

#include "dedup/match/large_group.h"

namespace neardup {
namespace {

void join_small_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, uint32_t worker, const EmitPair& emit,
                      Matcher::Scratch& scratch) {
  for (size_t i = 1; i < group.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!matcher.comparable(group[i], group[j])) continue;
      if (const auto overlap = matcher.match(group[i], group[j], scratch)) {
        emit(worker, in.document(group[j]), in.document(group[i]), *overlap);
      }
    }
  }
}

// No member is taken out: every member is compared with all before it.
template <BlockSearch Search>
void join_blocks(const GroupInputs& in, Search& search, std::span<const uint32_t> group, const EmitPair& emit, GroupStats& stats) {
  LargeGroup large(in, search, static_cast<uint32_t>(group.size()));
  large.for_blocks([&](uint32_t begin, uint32_t end) {
    large.for_members(begin, end, [&](uint32_t worker, uint32_t member) {
      large.for_candidates(member, worker, [&](uint32_t other) {
        if (const auto overlap = large.match(member, other, worker)) {
          emit(worker, in.document(group[other]), in.document(group[member]), *overlap);
        }
        return true;
      });
    });
    in.done(end - begin);
  });
  large.add_to(stats);
}

void join_large_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, const EmitPair& emit,
                      GroupStats& stats) {
  with_block_search(in, matcher, group, [&](auto& search) { join_blocks(in, search, group, emit, stats); });
}

}  // namespace

void join_groups(const GroupInputs& in, const EmitPair& emit, GroupStats& stats, size_t small_group) {
  const Matcher matcher(in);
  std::vector<Matcher::Scratch> scratch(in.threads);
  for_groups(
      in.candidates, in.threads, small_group,
      [&](uint32_t worker, std::span<const uint32_t> group) {
        join_small_group(in, matcher, group, worker, emit, scratch[worker]);
        in.done(group.size());
      },
      [&](std::span<const uint32_t> group) { join_large_group(in, matcher, group, emit, stats); });
  for (const Matcher::Scratch& each : scratch) stats.verifications += each.verifications;
}

}  // namespace neardup
