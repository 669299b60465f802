#include "dedup/stages/near_codes.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "index/hamming/hamming_connect.h"
#include "neardup/error.h"
#include "neardup/hamming_index.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {
namespace {

// Up to this size all pairs take less time than an index.
constexpr size_t kAllPairs = 512;
// Of a member and its place in the index.
constexpr uint64_t kMemberBytes = 160;

}  // namespace

void NearCodes::add(const Fingerprint128& code, int64_t rank) {
  if ((members_.size() + 1) * kMemberBytes > memory_ && members_.size() >= kAllPairs) {
    throw Error(ErrorCode::kResource,
                fmt::format("more than {} different fingerprints are equal in one block of bits, which is what {} bytes of memory can "
                            "compare: give tasks more memory, or lower max_distance, which makes the blocks wider",
                            members_.size(), memory_));
  }
  members_.push_back({code, rank});
}

void NearCodes::connect(uint32_t block, const std::function<void(const Member&, const Member&)>& edge) {
  if (members_.size() < 2) return members_.clear();
  UnionFind sets(static_cast<uint32_t>(members_.size()));
  if (members_.size() <= kAllPairs) {
    compare_all(block, sets);
  } else if (settings_.rule().bits == Fingerprint64::kBits) {
    search<Fingerprint64>(block, sets);
  } else {
    search<Fingerprint128>(block, sets);
  }
  // Roots are the least numbers; the first member is the one with the least rank.
  std::vector<uint32_t> first(members_.size());
  for (uint32_t member = 0; member < members_.size(); ++member) {
    const uint32_t root = sets.root(member);
    if (root == member) {
      first[root] = member;
    } else if (members_[member].rank < members_[first[root]].rank) {
      first[root] = member;
    }
  }
  for (uint32_t member = 0; member < members_.size(); ++member) {
    const uint32_t of_set = first[sets.root(member)];
    if (of_set != member) edge(members_[member], members_[of_set]);
  }
  members_.clear();
}

void NearCodes::unite_near(size_t a, size_t b, uint32_t block, UnionFind& sets) const {
  if (settings_.blocks().first_equal(members_[a].code, members_[b].code, block))
    sets.unite(static_cast<uint32_t>(a), static_cast<uint32_t>(b));
}

void NearCodes::compare_all(uint32_t block, UnionFind& sets) const {
  for (size_t a = 1; a < members_.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      if (hamming_distance(members_[a].code, members_[b].code) <= settings_.rule().max_distance) unite_near(a, b, block, sets);
    }
  }
}

template <typename Code>
void NearCodes::search(uint32_t block, UnionFind& sets) const {
  std::vector<Code> codes;
  codes.reserve(members_.size());
  for (const Member& member : members_) codes.push_back(narrowed<Code>(member.code));
  const uint32_t radius = settings_.rule().max_distance;
  HammingPlan plan = plan_hamming(hamming_statistics(std::span<const Code>(codes)), radius, {.use = HammingUse::kSelfJoin});
  const auto index =
      HammingIndex<Code>::build(codes, {}, {.radius = radius, .plan = std::move(plan), .threads = 1, .memory = 0, .temp_dir = {}});
  hamming_connect(index, radius, 1, [&](std::span<const HammingPair> pairs) {
    for (const HammingPair& pair : pairs) unite_near(pair.a, pair.b, block, sets);
  });
}

}  // namespace neardup
