// NearCodes: the distinct fingerprints of one bucket, and which of them chains of near ones connect.
//
// Few are compared pair by pair, more through an index, and those that exceed the memory a chunk with each other chunk.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/spill_file.h"
#include "dedup/match/candidates/union_find.h"
#include "dedup/stages/stage_settings.h"

namespace neardup {

class NearCodes {
 public:
  struct Member {
    Fingerprint128 code;
    int64_t rank;
  };
  using Edge = std::function<void(const Member& later, const Member& first)>;

  /// `settings` must outlive this object.
  NearCodes(const StageSettings& settings, uint64_t memory, std::string temp_dir);

  /// A fingerprint of the bucket, and the first document that has it. Throws Error{kOutput} when the disk is full.
  void add(const Fingerprint128& code, int64_t rank);
  /// Calls edge(member, first) for every member that is not the first of those that it is connected with, and empties the bucket. Pairs
  /// that an earlier block finds, too, are left to it.
  void connect(uint32_t block, const Edge& edge);

 private:
  using Members = std::span<const Member>;

  void spill();
  void connect(Members members, uint32_t block, const Edge& edge) const;
  void compare_all(Members members, uint32_t block, UnionFind& sets) const;
  template <typename Code>
  void search(Members members, uint32_t block, UnionFind& sets) const;
  void unite_near(Members members, size_t a, size_t b, uint32_t block, UnionFind& sets) const;

  const StageSettings& settings_;
  const size_t max_members_;  // in memory
  const size_t max_indexed_;
  const std::string temp_dir_;
  std::vector<Member> members_;
  std::optional<SpillFile> spilled_;  // those before `members_`
};

}  // namespace neardup
