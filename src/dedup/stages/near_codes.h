// NearCodes: the distinct fingerprints of one bucket, and which of them chains of near ones connect.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "dedup/match/candidates/union_find.h"
#include "dedup/stages/stage_settings.h"

namespace neardup {

class NearCodes {
 public:
  struct Member {
    Fingerprint128 code;
    int64_t rank;
  };

  /// `settings` must outlive this object.
  NearCodes(const StageSettings& settings, uint64_t memory) : settings_(settings), memory_(memory) {}

  /// A fingerprint of the bucket, and the first document that has it. Throws Error{kResource} when the bucket exceeds the memory.
  void add(const Fingerprint128& code, int64_t rank);
  /// Calls edge(member, first) for every member that is not the first of those that it is connected with, and empties the bucket. Pairs
  /// that an earlier block finds, too, are left to it.
  void connect(uint32_t block, const std::function<void(const Member& later, const Member& first)>& edge);

 private:
  void compare_all(uint32_t block, UnionFind& sets) const;
  template <typename Code>
  void search(uint32_t block, UnionFind& sets) const;
  void unite_near(size_t a, size_t b, uint32_t block, UnionFind& sets) const;

  const StageSettings& settings_;
  const uint64_t memory_;
  std::vector<Member> members_;
};

}  // namespace neardup
