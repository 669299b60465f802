#include "dedup/stages/near_codes.h"

#include <algorithm>
#include <utility>

#include "index/hamming/hamming_connect.h"
#include "neardup/hamming_index.h"
#include "neardup/stop.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {
namespace {

// Up to this size all pairs take less time than an index.
constexpr size_t kAllPairs = 512;
// Of a fingerprint in an index, with what building it takes.
constexpr uint64_t kIndexBytes = 128;

template <typename Code>
HammingIndex<Code> index_members(std::span<const NearCodes::Member> members, uint32_t radius) {
  std::vector<Code> codes;
  codes.reserve(members.size());
  for (const NearCodes::Member& member : members) codes.push_back(narrowed<Code>(member.code));
  HammingPlan plan = plan_hamming(hamming_statistics(std::span<const Code>(codes)), radius, {.use = HammingUse::kSelfJoin});
  return HammingIndex<Code>::build(codes, {}, {.radius = radius, .plan = std::move(plan), .threads = 1});
}

}  // namespace

NearCodes::NearCodes(const StageSettings& settings, uint64_t memory, std::string temp_dir)
    : settings_(settings),
      max_members_(std::max<size_t>(memory / 4 / sizeof(Member), 1)),
      max_indexed_(std::max<size_t>(memory / 4 / kIndexBytes, kAllPairs)),
      temp_dir_(std::move(temp_dir)) {}

void NearCodes::add(const Fingerprint128& code, int64_t rank) {
  if (members_.size() == max_members_) spill();
  members_.push_back({code, rank});
}

void NearCodes::spill() {
  if (!spilled_) spilled_.emplace(max_members_ * sizeof(Member), temp_dir_);
  spilled_->append({reinterpret_cast<const char*>(members_.data()), members_.size() * sizeof(Member)});
  members_.clear();
}

void NearCodes::connect(uint32_t block, const Edge& edge) {
  if (spilled_) {
    spill();
    connect(spilled_->values<Member>(), block, edge);
    spilled_.reset();
  } else if (members_.size() > 1) {
    connect(members_, block, edge);
  }
  members_.clear();
}

void NearCodes::connect(Members members, uint32_t block, const Edge& edge) const {
  UnionFind sets(static_cast<uint32_t>(members.size()));
  if (members.size() <= kAllPairs) {
    compare_all(members, block, sets);
  } else if (settings_.rule().bits == Fingerprint64::kBits) {
    search<Fingerprint64>(members, block, sets);
  } else {
    search<Fingerprint128>(members, block, sets);
  }
  // The root of a set is its least number, which comes first here; the first member is the one with the least rank.
  std::vector<uint32_t> first(members.size());
  for (uint32_t member = 0; member < members.size(); ++member) {
    const uint32_t root = sets.root(member);
    if (root == member || members[member].rank < members[first[root]].rank) first[root] = member;
  }
  for (uint32_t member = 0; member < members.size(); ++member) {
    const uint32_t of_set = first[sets.root(member)];
    if (of_set != member) edge(members[member], members[of_set]);
  }
}

void NearCodes::unite_near(Members members, size_t a, size_t b, uint32_t block, UnionFind& sets) const {
  if (settings_.blocks().first_equal(members[a].code, members[b].code, block))
    sets.unite(static_cast<uint32_t>(a), static_cast<uint32_t>(b));
}

void NearCodes::compare_all(Members members, uint32_t block, UnionFind& sets) const {
  for (size_t a = 1; a < members.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      if (hamming_distance(members[a].code, members[b].code) <= settings_.rule().max_distance) unite_near(members, a, b, block, sets);
    }
  }
}

template <typename Code>
void NearCodes::search(Members members, uint32_t block, UnionFind& sets) const {
  const uint32_t radius = settings_.rule().max_distance;
  const size_t chunks = (members.size() + max_indexed_ - 1) / max_indexed_;
  const auto begin_of = [&](size_t chunk) { return members.size() * chunk / chunks; };
  const auto index_chunk = [&](size_t chunk) {
    return index_members<Code>(members.subspan(begin_of(chunk), begin_of(chunk + 1) - begin_of(chunk)), radius);
  };
  for (size_t a = 0; a < chunks; ++a) {
    const auto index = index_chunk(a);
    const auto unite_all = [&](std::span<const HammingPair> pairs, size_t b) {
      for (const HammingPair& pair : pairs) unite_near(members, begin_of(a) + pair.a, begin_of(b) + pair.b, block, sets);
    };
    hamming_connect(index, radius, 1, [&](std::span<const HammingPair> pairs) { unite_all(pairs, a); });
    for (size_t b = a + 1; b < chunks; ++b) {
      check_stop();
      index.join(index_chunk(b), radius, 1, [&](std::span<const HammingPair> pairs) { unite_all(pairs, b); });
    }
  }
}

}  // namespace neardup
